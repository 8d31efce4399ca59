import { describeGaps, GAPS, gapsTable } from '../../lib/target';

test('every gap says what happens there and what Headrace does about it, in one line of its own', () => {
  for (const gap of GAPS) {
    for (const text of Object.values(gap)) expect(text).toMatch(/^[^|\n]+[^.|\n]$/);
  }
  expect(new Set(GAPS.map((gap) => gap.feature)).size).toBe(GAPS.length);
});

test('the printed table has every gap', () => {
  expect(describeGaps().match(/^ {2}headrace /gm)).toHaveLength(GAPS.length);
  expect(gapsTable().split('\n')).toHaveLength(GAPS.length + 2);
  expect(describeGaps([])).toBe('No known gaps.');
});
