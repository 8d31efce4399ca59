import { HeadraceError } from '../../lib/contract';

/** The refusal that `act` raises; fails when it raises none, or something else. */
export function refusal(act: () => unknown): HeadraceError {
  try {
    act();
  } catch (error) {
    if (error instanceof HeadraceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The same for work that takes time. */
export async function lateRefusal(work: Promise<unknown>): Promise<HeadraceError> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof HeadraceError) return error;
  throw error;
}
