import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { HeadraceError } from '../contract/errors';

/** Where Headrace keeps what it can make again: `HEADRACE_CACHE`, or `.headrace` in the project. */
export function cacheFolder(root: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(root, env.HEADRACE_CACHE || '.headrace');
}

/** Creates the folder and proves that it can be written to. @throws HeadraceError HR409 */
export async function ensureWritable(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    await makeFolder(folder);
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

/**
 * Creates a folder and those above it one by one. Node's own `recursive` tries for ever where a folder exists and
 * creating one in it gives ENOENT, as under /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let each = folder; !(await exists(each)); each = dirname(each)) missing.unshift(each);
  for (const each of missing) {
    await mkdir(each).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
