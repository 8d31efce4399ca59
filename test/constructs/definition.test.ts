import * as z from 'zod';
import { definitionOf } from '../../lib/constructs/definition';
import { defineEvent, envelopeSchema } from '../../lib/contract';
import { defineStep, defineWorkflow, forEach, itemsKey, paceOf, run, runFailed } from '../../lib/module';

const started = defineEvent({
  type: 'work.asked',
  version: 1,
  summary: 'Work was asked for',
  subject: 'work',
  schema: z.object({ work: z.string() }),
  example: { work: 'one' },
});

const step = (name: string, more = {}) => defineStep({ name, summary: name, emits: [], ...more });
const first = step('list-parts', { timeoutSeconds: 100, retry: { attempts: 4, firstDelaySeconds: 3 } });
const second = step('make-part', { retry: { attempts: 1 } });
const third = step('check-part', { retry: { firstDelaySeconds: 5, maxDelaySeconds: 5 } });

const workflow = defineWorkflow({
  name: 'make-all',
  summary: 'Makes all parts',
  on: [started],
  plan: [
    run(first, { endOn: ['nothing', 'refused'] }),
    forEach(second, { over: first, until: 'made', concurrency: 3 }),
    forEach(third, { over: first }),
  ],
});

interface State {
  readonly Type: string;
  readonly [key: string]: unknown;
}
type States = Readonly<Record<string, State>>;

const names = {
  functionOf: ({ name }: { name: string }) => `arn:${name}`,
  bus: 'bus',
  runsBucket: 'runs',
  partition: 'aws',
};
const definition = definitionOf(workflow, names) as { StartAt: string; States: States };
const inner = (map: string) => definition.States[map]?.ItemProcessor as { StartAt: string; States: States };
const chapter = inner('make-part').States['make-part chapter']?.ItemProcessor as { StartAt: string; States: States };
const scopes = [definition, inner('make-part'), chapter, inner('check-part')];
const everyState = scopes.flatMap(({ States }) => Object.entries(States));
const tasks = everyState.filter(([, { Type }]) => Type === 'Task');

test('every state name is unique, and leads to a state of its own scope', () => {
  expect(new Set(everyState.map(([name]) => name)).size).toBe(everyState.length);
  for (const { StartAt, States } of scopes) {
    const targets = [StartAt, ...Object.values(States).flatMap((state) => nexts(state))];
    expect(targets.filter((name) => !(name in States))).toEqual([]);
    expect(Object.keys(States).filter((name) => !targets.includes(name))).toEqual([]);
  }
});

function nexts(state: State): string[] {
  const branches = [...((state.Choices ?? []) as State[]), ...((state.Catch ?? []) as State[]), state];
  return branches.flatMap(({ Next, Default }) => [Next, Default]).filter((name): name is string => name !== undefined);
}

test('every task retries with backoff and full jitter, has a time limit, and is caught', () => {
  expect(tasks).toHaveLength(10);
  for (const [, { Retry, TimeoutSeconds, Catch }] of tasks) {
    expect(Retry).toEqual([
      expect.objectContaining({ ErrorEquals: ['States.ALL'], JitterStrategy: 'FULL', MaxAttempts: expect.any(Number) }),
    ]);
    expect(TimeoutSeconds).toBeGreaterThan(0);
    expect(Catch).toEqual([expect.objectContaining({ ErrorEquals: ['States.ALL'] })]);
  }
});

test('every map is caught, and what a map or a step throws ends in a run.failed fact before the run ends', () => {
  for (const [name, state] of everyState.filter(([, { Type }]) => Type === 'Map' || Type === 'Task')) {
    const [caught] = state.Catch as { Next: string }[];
    const telling = String(state.Resource).endsWith('events:putEvents');
    const next = everyState.find(([other]) => other === caught?.Next)?.[1];
    expect([name, telling ? next?.Type : next?.Resource]).toEqual([
      name,
      telling ? 'Fail' : 'arn:aws:states:::events:putEvents',
    ]);
  }
});

test('a step is retried as its declaration says', () => {
  expect(definition.States['list-parts']?.Retry).toEqual([
    {
      ErrorEquals: ['States.ALL'],
      IntervalSeconds: 3,
      BackoffRate: 2,
      MaxAttempts: 3,
      MaxDelaySeconds: 300,
      JitterStrategy: 'FULL',
    },
  ]);
  expect(inner('make-part').States['make-part item']?.Retry).toEqual([expect.objectContaining({ MaxAttempts: 0 })]);
  expect(definition.States['list-parts']?.TimeoutSeconds).toBe(130);
});

test('a wait that does not grow has neither a rate nor an upper bound', () => {
  expect(inner('check-part').States['check-part item']?.Retry).toEqual([
    { ErrorEquals: ['States.ALL'], IntervalSeconds: 5, BackoffRate: 1, MaxAttempts: 4, JitterStrategy: 'FULL' },
  ]);
});

test('only outcomes pass from state to state, never what a step made', () => {
  for (const [, state] of tasks.filter(([, { Resource }]) => String(Resource).endsWith('lambda:invoke'))) {
    expect(state.ResultSelector).toEqual({ 'outcome.$': '$.Payload.outcome' });
    expect(['$.result', undefined]).toContain(state.ResultPath);
  }
  for (const name of ['make-part', 'check-part']) expect(definition.States[name]?.ResultPath).toBeNull();
  expect(inner('make-part').States['make-part item finished']?.Result).toEqual({ outcome: 'made' });
});

test('an outcome of endOn ends the run in success, any other goes on', () => {
  expect(definition.States['list-parts']?.Next).toBe('list-parts outcome');
  expect(definition.States['list-parts outcome']).toEqual({
    Type: 'Choice',
    Choices: ['nothing', 'refused'].map((outcome) => ({
      Variable: '$.result.outcome',
      StringEquals: outcome,
      Next: 'Ended early',
    })),
    Default: 'make-part',
  });
  expect(definition.States['check-part']?.Next).toBe('Finished');
});

test('a plan that cannot end early has no state for it', () => {
  const plain = defineWorkflow({ name: 'make-one', summary: 'Makes one', on: [started], plan: [run(second)] });
  const { States } = definitionOf(plain, names) as { States: States };
  expect(Object.keys(States)).toEqual(['make-part', 'make-part failed', 'Finished', 'Failed']);
});

test('a map reads the items where the runtime writes them, and has results written to the runs store', () => {
  expect(definition.States['make-part']).toMatchObject({
    ItemReader: {
      Resource: 'arn:aws:states:::s3:getObject',
      ReaderConfig: { InputType: 'JSON' },
      Parameters: { Bucket: 'runs', 'Key.$': "States.Format('runs/{}/list-parts/items.json', $.run.id)" },
    },
    ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    ResultWriter: {
      Resource: 'arn:aws:states:::s3:putObject',
      WriterConfig: { Transformation: 'COMPACT', OutputType: 'JSON' },
      Parameters: { Bucket: 'runs', 'Prefix.$': "States.Format('runs/{}/make-part/results', $.run.id)" },
    },
    MaxConcurrency: 3,
  });
  expect(itemsKey('{}', 'list-parts')).toBe('runs/{}/list-parts/items.json');
});

const pace = paceOf(second);

test('a repeated step counts its turns until it returns the awaited outcome, or its chapter is over', () => {
  const { States } = inner('make-part');
  expect(definition.States['make-part']?.ItemSelector).toEqual({
    'run.$': '$.run',
    'item.$': '$$.Map.Item.Value',
    at: { turn: 0, left: pace.turns },
    chapters: pace.chapters,
  });
  expect(States['make-part item']?.Parameters).toEqual({
    FunctionName: 'arn:make-part',
    Payload: { 'run.$': '$.run', 'item.$': '$.item', 'turn.$': '$.at.turn' },
  });
  expect(States['make-part item outcome']).toEqual({
    Type: 'Choice',
    Choices: [
      { Variable: '$.result.outcome', StringEquals: 'made', Next: 'make-part item finished' },
      { Variable: '$.at.left', NumericLessThanEquals: 1, Next: 'make-part next chapter' },
    ],
    Default: 'make-part item next turn',
  });
  expect(definition.States['check-part']?.ItemSelector).toEqual({
    'run.$': '$.run',
    'item.$': '$$.Map.Item.Value',
  });
});

test('a chapter is an execution of its own, for as many turns, and the item goes on after it', () => {
  const { States } = inner('make-part');
  expect(States['make-part chapter']).toMatchObject({
    ItemsPath: '$.turns',
    ItemSelector: { at: { 'turn.$': '$$.Map.Item.Value', left: pace.turns } },
    ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    Next: 'make-part chapter outcome',
  });
  expect(chapter.States['make-part chapter turn outcome']?.Choices).toEqual([
    { Variable: '$.result.outcome', StringEquals: 'made', Next: 'make-part chapter over' },
    { Variable: '$.at.left', NumericLessThanEquals: 1, Next: 'make-part chapter over' },
  ]);
  expect(States['make-part chapter outcome']).toMatchObject({
    Choices: [{ Next: 'make-part item finished' }, { Next: 'make-part never finished' }],
    Default: 'make-part next chapter',
  });
  expect(States['make-part never finished']?.Result).toEqual({
    Error: 'HR312',
    Cause: expect.stringContaining(`took ${pace.turns * (pace.chapters + 1)} turns of one item`),
  });
});

test('what is caught replaces the state, in which there may be no room for it beside a large run', () => {
  for (const [, { Catch }] of everyState.filter(([name, { Catch }]) => Catch && !name.endsWith(' failed'))) {
    expect(Catch).toEqual([expect.objectContaining({ ResultPath: '$' })]);
  }
});

test('the run.failed fact is an envelope that its contract accepts, and one fact however often it is told', () => {
  const details = tasks
    .filter(([, { Resource }]) => String(Resource).endsWith('events:putEvents'))
    .map(([, { Parameters }]) => (Parameters as { Entries: { Detail: object }[] }).Entries[0]?.Detail);
  expect(details).toHaveLength(6);
  for (const detail of details) {
    const envelope = envelopeSchema.parse(evaluate(detail));
    expect(runFailed.schema.parse(envelope.data)).toMatchObject({ run: 'make-all-1', error: 'Boom' });
    expect(envelope).toMatchObject({
      id: 'make-all-1-failed',
      type: runFailed.type,
      source: runFailed.source,
      hops: 3,
    });
  }
});

/** Stands for Step Functions: the paths and intrinsics that the fact uses, on one failed run. */
function evaluate(template: unknown): unknown {
  const values: Record<string, unknown> = {
    "States.Format('{}-failed', $$.Execution.Input.run.id)": 'make-all-1-failed',
    'States.MathAdd($$.Execution.Input.run.event.hops, 1)': 3,
    '$$.State.EnteredTime': '2026-01-01T00:00:00.000Z',
    '$$.Execution.Input.run.id': 'make-all-1',
    '$$.Execution.Input.run.workflow': 'make-all',
    '$$.Execution.Input.run.event.correlationId': 'correlation',
    '$$.Execution.Input.run.event.id': 'cause',
    '$.Error': 'Boom',
    '$.Cause': 'It went up',
  };
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$') ? [key.slice(0, -2), values[String(value)]] : [key, evaluate(value)],
    ),
  );
}
