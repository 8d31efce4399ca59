import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './synthesize';

const ACCEPT = 'UPDATE_GOLDEN=1 npx jest --selectProjects templates';

/** Compares with the file in `test/golden`; a difference is shown with the command that accepts it. */
export function expectGolden(name: string, actual: string): void {
  const file = join(ROOT, 'test', 'golden', name);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, actual);
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
  try {
    expect(actual).toBe(golden);
  } catch (error) {
    (error as Error).message += `\n\nIf that is what you want, accept it in ${relative(ROOT, file)}:\n  ${ACCEPT}\n`;
    throw error;
  }
}
