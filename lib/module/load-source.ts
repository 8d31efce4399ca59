import { HeadraceError } from '../contract';

/** Where in the project's own files an error arose, as `file:line`. */
function placeOf(error: Error, fallback: string): string {
  const lines = (error.stack ?? '').split('\n').slice(1);
  const found = lines.map(
    (line) => /\(?([^()\s]*[\\/](?:events|lambdas|workflows)[\\/][^()\s]+\.ts:\d+)/.exec(line)?.[1],
  );
  return found.find((place) => place !== undefined) ?? fallback;
}

/**
 * Loads a source file of a project.
 *
 * @throws HeadraceError HR202 when it can't be loaded; a declaration's own error with the place where it stands
 */
export function load(file: string): unknown {
  try {
    return require(file);
  } catch (error) {
    if (error instanceof HeadraceError) {
      const { details, code } = error;
      throw new HeadraceError(code, { ...details, what: `${details.what} It stands in ${placeOf(error, file)}.` });
    }
    const { message = String(error) } = error as { message?: string };
    const reason = message.split('\n')[0];
    throw new HeadraceError('HR202', {
      what: `${file} cannot be loaded: ${reason}.`,
      next: 'Correct the file; npm run types shows the place.',
      cause: error,
    });
  }
}
