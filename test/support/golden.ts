import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { diff } from 'jest-diff';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'test', 'golden');

/**
 * Compares a value, written as JSON, with the file of that name in test/golden.
 * Accepting a change is a command of its own, printed with the difference.
 */
export function expectGolden(name: string, value: unknown): void {
  const file = join(FOLDER, name);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (golden === text) return;
  const test = relative(ROOT, expect.getState().testPath ?? '');
  const difference = diff(golden, text, { aAnnotation: 'Golden', bAnnotation: 'Now', expand: false });
  throw new Error(
    `${relative(ROOT, file)} ${golden ? 'differs' : 'does not exist'}:\n${difference}\n` +
      `If the change is meant, accept it: UPDATE_GOLDEN=1 npx jest ${test} --selectProjects unit`,
  );
}
