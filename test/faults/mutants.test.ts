import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS, plant } from './mutants';

const source = (file: string) => readFileSync(join(__dirname, '..', '..', 'lib', 'runtime', file), 'utf8');

test('there are at least twelve bugs to plant, each with a name of its own', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(12);
});

test.each(MUTANTS)('$name: its place is in $file, once', (mutant) => {
  const before = source(mutant.file);
  const after = plant(mutant, before);
  expect(after).not.toBe(before);
  expect(after).toContain(mutant.replacement);
});

test('a bug whose place is gone, or stands twice, is not planted', () => {
  const mutant = { name: 'a bug', file: 'work.ts', find: 'await', replacement: '' };
  expect(() => plant(mutant, 'no such text')).toThrow('found 0 times');
  expect(() => plant(mutant, 'await await')).toThrow('found 2 times');
});
