import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const MINISTACK_VERSION = '1.5.33';

/** Files that are run or read as they are: beside this file in the repository, under `lib` when we run from `dist`. */
export function asset(name: 'guard.py' | 'install.py' | 'requirements.lock.txt'): string {
  const beside = join(__dirname, name);
  return existsSync(beside) ? beside : join(__dirname, '..', '..', '..', '..', 'lib', 'target', 'local', name);
}

/** Identifies an installation: another lock file is another environment. */
export function lockChecksum(): string {
  return createHash('sha256')
    .update(readFileSync(asset('requirements.lock.txt')))
    .digest('hex');
}
