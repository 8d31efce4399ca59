import '../support/quiet';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SQSBatchResponse } from 'aws-lambda';
import { consume, LETTER, type Logic } from '../../lib/runtime';
import { lambdaContext, sqsEvent } from '../support/aws';
import { NOW } from '../support/clock';
import { Deployment } from '../support/deployment';
import { arrived, essayGraded, gradeEssay } from '../support/essays';

/** Longer than any lease. */
const VISIBILITY_MS = 360_000;

let aws: Deployment;
let now = NOW.getTime();
beforeEach(() => {
  aws = new Deployment();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => {
  aws.end();
  jest.restoreAllMocks();
});

const handled: string[] = [];
beforeEach(() => handled.splice(0));

/** One invocation. Over an event whose id says so the function dies, and with it whatever else is in hand. */
async function invoke(ids: readonly string[], timeLeft: () => number, module = gradeEssay): Promise<readonly string[]> {
  const never = new Promise<never>(() => undefined);
  let die: (left: readonly string[]) => void = () => undefined;
  let dead = false;
  const death = new Promise<readonly string[]>((resolve) => {
    die = resolve;
  });
  const logic: Logic<typeof gradeEssay> = async ({ id, data }) => {
    if (id.startsWith('killer')) {
      dead = true;
      die(ids);
    }
    await sleep(5);
    if (dead) await never;
    handled.push(id);
    return [essayGraded.create({ essay: data.essay, grade: 1 })];
  };
  const records = ids.map((id) => arrived(id));
  const work = consume(module, logic)(sqsEvent(...records), lambdaContext({ getRemainingTimeInMillis: timeLeft }));
  const answer = work.then((response) =>
    (response as SQSBatchResponse).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier.slice(8)),
  );
  return Promise.race([death, answer]);
}

/** Delivers the events in one batch, as the queue does, until none is left. @returns how often it was received */
async function deliver(ids: readonly string[], module = gradeEssay): Promise<number> {
  let left = ids;
  for (let received = 1; received < 100; received++) {
    now += VISIBILITY_MS;
    left = await invoke(left, () => 60_000, module);
    if (left.length === 0) return received;
  }
  throw new Error('it never came to an end');
}

test.each([1, 3, 9])('%i events that kill their function are parked alone; their siblings are done', async (count) => {
  const killers = Array.from({ length: count }, (_, i) => `killer-${i}`);
  const innocent = Array.from({ length: 10 - count }, (_, i) => `e-${i}`);
  const received = await deliver([...killers, ...innocent]);
  expect(handled.toSorted()).toEqual(innocent);
  expect(aws.letters.map(({ body }) => JSON.parse(body ?? '').detail.id).toSorted()).toEqual(killers);
  for (const { attributes } of aws.letters) {
    expect(attributes).toMatchObject({ [LETTER.reason]: 'attempts', [LETTER.attempts]: '3' });
  }
  expect(received).toBeLessThanOrEqual(gradeEssay.retry.attempts * gradeEssay.batchSize);
});

test('events that were in hand when the function died are done in the next invocation, one by one', async () => {
  await invoke(['killer', 'e-1', 'e-2', 'e-3'], () => 60_000);
  now += VISIBILITY_MS;
  expect(await invoke(['e-1', 'e-2', 'e-3'], () => 60_000)).toEqual([]);
  expect(handled).toEqual(['e-1', 'e-2', 'e-3']);
});

test('such an event is put off, at the price of no attempt, when little time is left', async () => {
  await invoke(['killer', 'e-1'], () => 60_000);
  now += VISIBILITY_MS;
  expect(await invoke(['e-1', 'e-2'], () => 29_000)).toEqual(['e-1']);
  expect(aws.delays).toEqual([['receipt-of-message-e-1', 1]]);
  expect(aws.table.items.get('grade-essay#e-1')?.attempts?.N).toBe('0');
});

test('such an event alone is done however little time is left', async () => {
  await invoke(['killer', 'e-1'], () => 60_000);
  now += VISIBILITY_MS;
  expect(await invoke(['e-1'], () => 29_000)).toEqual([]);
});

test('a death in company is no attempt: not even a module with a single one loses an innocent event', async () => {
  const strict = { ...gradeEssay, retry: { ...gradeEssay.retry, attempts: 1 } };
  await deliver(['killer', 'e-1', 'e-2'], strict);
  expect(handled.toSorted()).toEqual(['e-1', 'e-2']);
  expect(aws.letters).toMatchObject([{ attributes: { [LETTER.attempts]: '1' } }]);
});
