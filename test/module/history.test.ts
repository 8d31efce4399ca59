import { LIMITS } from '../../lib/contract/limits';
import { DEFAULT_RETRY, defineStep, defineWorkflow, paceOf, run } from '../../lib/module';
import { itemEvents, MAX_PLAN_EVENTS, planEvents, turnEvents } from '../../lib/module/history';
import { essayArrived } from '../support/essays';
import { refusal } from '../support/refusal';

const QUOTA = LIMITS.historyEvents.value;
const markPage = (attempts: number, name = 'mark-page') =>
  defineStep({ name, summary: 'Marks', emits: [], retry: { ...DEFAULT_RETRY, attempts } });

test('a turn is 6 events, and 3 more for every attempt it may need', () => {
  expect([1, 5, 100].map((attempts) => turnEvents(markPage(attempts)))).toEqual([9, 21, 306]);
});

test.each(Array.from({ length: 100 }, (_, i) => i + 1))(
  'with %i attempts a whole item, chapters and all, stays below the quota with room for redrives',
  (attempts) => {
    const step = markPage(attempts);
    const pace = paceOf(step);
    expect(itemEvents(step, pace)).toBeLessThanOrEqual(QUOTA - 5000);
    // One turn or one chapter more would not fit.
    expect(itemEvents(step, { ...pace, chapters: pace.chapters + 1 })).toBeGreaterThan(QUOTA - 5000);
    expect(pace.turns).toBeGreaterThanOrEqual(30);
    // 10,000 turns of one item are nothing special.
    expect(pace.turns * (pace.chapters + 1)).toBeGreaterThan(30_000);
  },
);

test('the docs tell the figures of a step with 5 attempts', () => {
  const { turns, chapters } = paceOf(markPage(5));
  expect([turns, chapters]).toEqual([475, 1000]);
  expect(turns * (chapters + 1)).toBeGreaterThan(470_000);
});

/** Plans whose worst history grows by 7 events a step. */
const plan = (steps: number) => Array.from({ length: steps }, (_, i) => run(markPage(1, `mark-page${i}`)));
const longest = Math.floor((MAX_PLAN_EVENTS - planEvents([])) / 7);

test.each([
  [-1, false],
  [0, false],
  [1, true],
])('a plan of as many steps as a history has room for, and %i more, is refused: %s', (more, refused) => {
  const declare = () =>
    defineWorkflow({ name: 'mark-pages', summary: 'Marks', on: [essayArrived], plan: plan(longest + more) });
  if (refused) expect(refusal(declare).message).toContain(`its history could pass ${MAX_PLAN_EVENTS} events`);
  else expect(declare().plan).toHaveLength(longest + more);
});
