import {
  defineStep,
  defineWorkflow,
  executionEnded,
  forEach,
  itemsKey,
  on,
  run,
  runFailed,
  starterOf,
  stepsOf,
} from '../../lib/module';
import { essayArrived, essayGraded } from '../support/essays';
import { refusal } from '../support/refusal';

const split = defineStep({ name: 'split-essay', summary: 'Lists paragraphs', emits: [] });
const mark = defineStep({ name: 'mark-paragraph', summary: 'Marks one', emits: [] });
const sum = defineStep({ name: 'sum-marks', summary: 'Sums up', emits: [essayGraded] });

const smallest = { name: 'grade-essays', summary: 'Grades', on: [essayArrived], plan: [run(split)] };

test('a plan runs its steps in order', () => {
  const plan = [run(split, { endOn: ['empty'] }), forEach(mark, { over: split, until: 'marked' }), run(sum)];
  const workflow = defineWorkflow({ ...smallest, plan });
  expect(stepsOf(workflow)).toEqual([split, mark, sum]);
  expect(workflow).toMatchObject({ kind: 'workflow', concurrency: 2, on: [{ listenable: essayArrived }] });
  expect(workflow.plan).toEqual([
    { node: 'run', step: split, endOn: ['empty'] },
    { node: 'forEach', step: mark, over: split, concurrency: 8, until: 'marked' },
    { node: 'run', step: sum, endOn: [] },
  ]);
});

test.each([
  ['it listens to nothing', { on: [] }, '`on` must name at least one event'],
  ['its plan is empty', { plan: [] }, '`plan` must have at least one state'],
  ['a step stands in the plan twice', { plan: [run(split), run(split)] }, 'step split-essay stands in the plan twice'],
  [
    'a list is used before it is made',
    { plan: [forEach(mark, { over: split }), run(split)] },
    'forEach mark-paragraph needs',
  ],
  ['a list is never made', { plan: [run(sum), forEach(mark, { over: split })] }, 'forEach mark-paragraph needs'],
  [
    'its name is no verb and noun',
    { name: 'grade' },
    "name must be verb-noun in lower case, up to 40 characters, got 'grade'",
  ],
  ['it would start one run at a time', { concurrency: 1 }, 'concurrency must be a whole number from 2 to 1000, got 1'],
])('fails when %s', (_, settings, told) => {
  const error = refusal(() => defineWorkflow({ ...smallest, ...settings }));
  expect(error.code).toBe('HR204');
  expect(error.message).toContain(told);
  expect(error.message).toContain(`Correct workflows/${'name' in settings ? settings.name : 'grade-essays'}.ts.`);
});

test('fails once with everything that is wrong', () => {
  const { message } = refusal(() => defineWorkflow({ ...smallest, on: [], plan: [] }));
  expect(message).toContain('`on` must name at least one event; `plan` must have at least one state');
});

test('its starter is a module that listens like the workflow, and to the ends of its own executions', () => {
  const where = { words: [{ numeric: ['>', 100] }] };
  const workflow = defineWorkflow({ ...smallest, on: [on(essayArrived, where)], concurrency: 7 });
  expect(starterOf(workflow)).toMatchObject({
    kind: 'module',
    name: 'grade-essays',
    on: [
      { listenable: essayArrived, where },
      {
        listenable: executionEnded,
        where: { status: ['FAILED', 'TIMED_OUT', 'ABORTED'], name: [{ prefix: 'grade-essays-' }] },
      },
    ],
    emits: [runFailed],
    concurrency: 7,
    timeoutSeconds: 30,
  });
});

test('items of a step lie under its run', () => {
  expect(itemsKey('grade-essays-1', 'split-essay')).toBe('runs/grade-essays-1/split-essay/items.json');
});
