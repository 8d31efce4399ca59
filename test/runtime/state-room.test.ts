import { LIMITS } from '../../lib/contract/limits';
import type { Run } from '../../lib/module';
import { checkItems, checkOutcome, checkRun, MAX_RUN_AND_ITEM } from '../../lib/runtime/state-room';
import { NOW } from '../support/clock';
import { refusal } from '../support/refusal';

const LIMIT = LIMITS.stateBytes.value;

const runOf = (text: string): Run => ({
  id: 'grade-essays-0123456789abcdef',
  workflow: 'grade-essays',
  event: { id: 'e-1', type: 'essay.arrived', time: NOW.toISOString(), correlationId: 'a', hops: 2, data: { text } },
});
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** A text that makes `of(text)` exactly so many bytes, with characters of two bytes among them. */
const filled = (size: number, of: (text: string) => unknown): string => {
  const wide = 'ä'.repeat(100);
  return wide + 'x'.repeat(size - bytes(of(wide)));
};

const largestState = (run: Run, item: unknown) => ({
  FunctionName: `arn:aws:lambda:ap-southeast-1:111122223333:function:${'f'.repeat(64)}`,
  Payload: { run, item, turn: Number.MAX_SAFE_INTEGER },
  at: { turn: Number.MAX_SAFE_INTEGER, left: 1000, outcome: 'o'.repeat(128) },
  turns: [Number.MAX_SAFE_INTEGER],
  chapters: 1000,
  result: { outcome: 'o'.repeat(128) },
});

test.each([
  [-1, false],
  [0, false],
  [1, true],
])('a run of the largest size, and %i bytes more, is refused: %s', (more, refused) => {
  const run = runOf(filled(MAX_RUN_AND_ITEM + more, (text) => ({ run: runOf(text) })));
  if (refused) {
    expect(refusal(() => checkRun(run)).code).toBe('HR311');
    return;
  }
  checkRun(run);
  expect(bytes(largestState(run, null))).toBeLessThan(LIMIT);
});

test('an event of the largest size we send can start a run', () => {
  const text = filled(LIMITS.eventBytes.value, (content) => ({ text: content }));
  expect(() => checkRun(runOf(text))).not.toThrow();
});

test.each([
  [-1, false],
  [0, false],
  [1, true],
])('an item of the largest size beside its run, and %i bytes more, is refused: %s', (more, refused) => {
  const run = runOf('t'.repeat(200_000));
  const room = MAX_RUN_AND_ITEM - bytes({ run });
  const large = filled(room + more, (item) => ({ item }));
  const list = { run, step: 'split-essay', items: ['small', large] };
  if (refused) {
    const { code, message } = refusal(() => checkItems(list));
    expect(code).toBe('HR311');
    expect(message).toContain('Item 1 of split-essay is too large');
    expect(message).toContain(`up to ${room} bytes`);
    return;
  }
  checkItems(list);
  expect(bytes(largestState(run, large))).toBeLessThan(LIMIT);
});

test.each([
  [-1, false],
  [0, false],
  [1, true],
])('a list of as many items as a Map takes, and %i more, is refused: %s', (more, refused) => {
  const check = () =>
    checkItems({ run: runOf(''), step: 'split-essay', items: Array(10 + more).fill(1), maxItems: 10 });
  if (refused) expect(refusal(check).message).toContain("Got '11 items'. Allowed: up to 10");
  else expect(check).not.toThrow();
});

test('a list of more items than the quota is refused before each is looked at', () => {
  const items = new Array(LIMITS.mapItems.value + 1);
  expect(refusal(() => checkItems({ run: runOf(''), step: 'split-essay', items })).code).toBe('HR311');
});

test('an outcome is a word: at most 128 characters', () => {
  expect([127, 128].map((length) => checkOutcome('split-essay', 'o'.repeat(length)).length)).toEqual([127, 128]);
  expect(refusal(() => checkOutcome('split-essay', 'o'.repeat(129))).code).toBe('HR311');
});

test('the longest cause of a failure fits the state that holds it, and the event that tells it', () => {
  // A control character in JSON inside JSON is the worst: six bytes for one.
  const cause = '\u0001'.repeat(LIMITS.causeCharacters.value);
  const state = { Error: 'Runtime.HandlerError', Cause: cause };
  expect(bytes(state)).toBeLessThan(LIMIT);
  expect(bytes(state) + 4096).toBeLessThan(LIMITS.eventBytes.value);
});
