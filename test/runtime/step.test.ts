import '../support/quiet';
import { deterministicId } from '../../lib/contract';
import { defineStep, itemsKey, type Run } from '../../lib/module';
import { Ledger, runKey, type StepLogic, serveStep } from '../../lib/runtime';
import { dynamodb } from '../../lib/runtime/clients';
import { lambdaContext } from '../support/aws';
import { NOW } from '../support/clock';
import { Deployment } from '../support/deployment';
import { essayArrived, essayGraded } from '../support/essays';
import { lateRefusal } from '../support/refusal';

const splitEssay = defineStep({
  name: 'split-essay',
  summary: 'Splits',
  emits: [essayGraded],
  stores: { essays: 'read' },
});

const run: Run = {
  id: 'grade-essays-1',
  workflow: 'grade-essays',
  event: { id: 'e-1', type: 'essay.arrived', time: NOW.toISOString(), correlationId: 'a', hops: 2, data: {} },
};

let aws: Deployment;
beforeEach(() => {
  aws = new Deployment();
});
afterEach(() => aws.end());

const call = (logic: StepLogic<typeof splitEssay>, input: object = { run }) =>
  serveStep(splitEssay, logic)(input, lambdaContext());
const split: StepLogic<typeof splitEssay> = async () => ({
  outcome: 'split',
  items: ['one', 'two'],
  events: [essayGraded.create({ essay: 'e-1', grade: 1 })],
});

test('returns the outcome alone: what is large stays out of the state', async () => {
  expect(await call(split)).toEqual({ outcome: 'split' });
});

test('writes its items where the state machine reads them', async () => {
  await call(split);
  const written = aws.bucket.objects.get(itemsKey(run.id, 'split-essay')) ?? '';
  expect(JSON.parse(Buffer.from(written).toString())).toEqual(['one', 'two']);
});

test('fails when the outcome is no word, instead of going on without one', async () => {
  for (const outcome of [undefined, null, 7]) {
    await expect(call(async () => ({ outcome: outcome as never }))).rejects.toThrow(/split-essay returned no outcome/);
  }
  expect(await call(split)).toEqual({ outcome: 'split' });
});

test('writes no list when it has no items', async () => {
  await call(async () => ({ outcome: 'split' }));
  expect(aws.bucket.objects.size).toBe(0);
});

test('emits under deterministic ids, caused by the event that started the run', async () => {
  await call(split);
  expect(aws.published).toMatchObject([
    {
      id: deterministicId('split-essay', 'grade-essays-1/whole/0', 0),
      correlationid: 'a',
      causationid: 'e-1',
      hops: 3,
      data: { essay: 'e-1', grade: 1 },
    },
  ]);
});

test('called again it returns the recorded outcome, and does and sends nothing', async () => {
  const logic = jest.fn(split);
  await call(logic);
  expect(await call(logic)).toEqual({ outcome: 'split' });
  expect(logic).toHaveBeenCalledTimes(1);
  expect(aws.published).toHaveLength(1);
});

test('called again after it died before sending, it sends what was committed', async () => {
  aws.failBusOnce();
  await expect(call(split)).rejects.toThrow('bus out of reach');
  expect(await call(jest.fn())).toEqual({ outcome: 'split' });
  const [first, second, ...more] = aws.published;
  expect(second).toEqual(first);
  expect(more).toEqual([]);
});

test.each([
  ['items', { run, item: 'one' }, { run, item: 'two' }],
  ['turns', { run, item: 'one', turn: 0 }, { run, item: 'one', turn: 1 }],
  ['runs', { run }, { run: { ...run, id: 'grade-essays-2' } }],
])('different %s are different work', async (_, one, other) => {
  const logic = jest.fn(split);
  await call(logic, one);
  await call(logic, other);
  expect(logic).toHaveBeenCalledTimes(2);
  expect(new Set(aws.published.map(({ id }) => id)).size).toBe(2);
});

test('takes over the lease of a crashed call at once, and the crashed one can no longer commit', async () => {
  const ledger = new Ledger(dynamodb(), 'ledger');
  const crashed = await ledger.acquire('split-essay', 'grade-essays-1/whole/0', { leaseMs: 900_000 });
  expect(await call(split)).toEqual({ outcome: 'split' });
  if (crashed.state !== 'acquired') throw new Error('not acquired');
  expect((await lateRefusal(ledger.commit(crashed.lease, []))).code).toBe('HR305');
});

test('fails with the error of its logic, so that the state machine retries, and counts the attempt', async () => {
  const attempts: number[] = [];
  const logic: StepLogic<typeof splitEssay> = async (_, { attempt }) => {
    attempts.push(attempt);
    if (attempt === 1) throw new Error('no ink');
    return { outcome: 'split' };
  };
  await expect(call(logic)).rejects.toThrow('no ink');
  expect(await call(logic)).toEqual({ outcome: 'split' });
  expect(attempts).toEqual([1, 2]);
});

test('fails when it emits what it does not declare', async () => {
  const stray = async () => ({ outcome: 'split', events: [essayArrived.create(essayArrived.example)] });
  expect((await lateRefusal(call(stray as never))).code).toBe('HR302');
  expect(aws.published).toEqual([]);
});

test.each([
  ['it has no run', {}],
  ['its turn is no whole number', { run, turn: 0.5 }],
])('fails when %s', async (_, input) => {
  await expect(call(split, input)).rejects.toThrow(/expected/);
});

test('gives its logic the item, the turn and the store of the run', async () => {
  await call(
    async ({ item, turn }, { runs }) => {
      expect([item, turn]).toEqual([{ page: 1 }, 3]);
      await runs.put(runKey(run, 'notes'), 'n');
      return { outcome: 'split' };
    },
    { run, item: { page: 1 }, turn: 3 },
  );
  expect([...aws.bucket.objects.keys()]).toEqual(['runs/grade-essays-1/notes']);
});
