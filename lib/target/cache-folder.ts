import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HeadraceError } from '../contract/errors';

/** Where Headrace keeps what it can make again: `HEADRACE_CACHE`, or `.headrace` in the project. */
export function cacheFolder(root: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(root, env.HEADRACE_CACHE || '.headrace');
}

/** Creates the folder and proves that it can be written to. */
export async function ensureWritable(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
  } catch (cause) {
    throw new HeadraceError('HR409', {
      what: `The cache folder can't be written to (${(cause as NodeJS.ErrnoException).code}).`,
      got: folder,
      allowed: 'a folder this user may create and write to',
      next: 'Set HEADRACE_CACHE to such a folder.',
      cause,
    });
  }
}
