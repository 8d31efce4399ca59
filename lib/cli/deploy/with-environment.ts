import { environmentFor, type Target } from '../../target';
import { QUIET_SDK } from '../quiet-sdk';

/**
 * Runs `work` with the process's environment pointing at `target`. The CDK toolkit makes its AWS clients itself, and
 * takes endpoint and credentials from nowhere else. The environment is put back afterwards.
 */
export async function withEnvironment<T>(target: Target, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  replaceEnvironment({ ...environmentFor(target, before), ...QUIET_SDK });
  try {
    return await work();
  } finally {
    replaceEnvironment(before);
  }
}

function replaceEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
  Object.assign(process.env, wanted);
}
