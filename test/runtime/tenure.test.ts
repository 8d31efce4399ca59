import '../support/quiet';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { ChangeMessageVisibilityBatchCommand, ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { Module } from '../../lib/module';
import { consume, Ledger, type Logic } from '../../lib/runtime';
import { dynamodb } from '../../lib/runtime/clients';
import { leaseMs } from '../../lib/runtime/tenure';
import { lambdaContext, sqsEvent } from '../support/aws';
import { Deployment } from '../support/deployment';
import { arrived, essayGraded, gradeEssay } from '../support/essays';
import { ManualTime, quiet } from './support/manual-time';

let aws: Deployment;
let time: ManualTime;
beforeEach(() => {
  aws = new Deployment();
  time = new ManualTime();
});
afterEach(() => aws.end());

const beating = { ...gradeEssay, heartbeatSeconds: 10 };
const grade: Logic<typeof gradeEssay> = async ({ data }) => [essayGraded.create({ essay: data.essay, grade: 1 })];
const item = () => aws.table.items.get('grade-essay#e-1');
/** Milliseconds from now for which the lease runs. */
const leased = () => Number(item()?.lease_until?.N) - time.now();

/** Work that goes on until it is told to end. */
function longWork() {
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const end = () => finish();
  const signals: AbortSignal[] = [];
  const logic: Logic<typeof gradeEssay> = async (event, context) => {
    signals.push(context.signal);
    await ended;
    return grade(event, context);
  };
  return {
    signal: () => signals[0] as AbortSignal,
    end,
    /** @returns its answer, in a box that is not waited for */
    async begin(module: typeof gradeEssay | typeof beating, remaining = 600_000) {
      const lambda = lambdaContext({ getRemainingTimeInMillis: () => remaining });
      const answer = time.run(() => consume(module, logic)(sqsEvent(arrived('e-1')), lambda));
      await quiet();
      return { answer };
    },
  };
}

describe('the messages of a batch', () => {
  const batches = () =>
    aws.queues.commandCalls(ChangeMessageVisibilityBatchCommand).map(({ args: [{ input }] }) => input);

  test.each([
    ['the rest of the invocation, and two seconds', gradeEssay, 62],
    ['three heartbeats, and a second', beating, 31],
  ])('are hidden by one call, for %s', async (_, module, seconds) => {
    await time.run(() => consume(module, grade)(sqsEvent(arrived('e-1'), arrived('e-2')), lambdaContext()));
    expect(batches()).toEqual([
      {
        QueueUrl: 'https://sqs/queue',
        Entries: [
          { Id: '0', ReceiptHandle: 'receipt-of-message-e-1', VisibilityTimeout: seconds },
          { Id: '1', ReceiptHandle: 'receipt-of-message-e-2', VisibilityTimeout: seconds },
        ],
      },
    ]);
    expect(aws.delays).toEqual([]);
  });

  test('are handled all the same when they cannot be hidden', async () => {
    aws.queues.on(ChangeMessageVisibilityBatchCommand).rejects(new Error('queue out of reach'));
    const answer = await time.run(() => consume(gradeEssay, grade)(sqsEvent(arrived('e-1')), lambdaContext()));
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(aws.published).toHaveLength(1);
  });
});

test.each([
  ['until its invocation ends, without a heartbeat', undefined, 20_000, 21_000],
  ['for three heartbeats', 5, 20_000, 15_000],
  ['no longer than its invocation, whatever its heartbeat', 10, 20_000, 21_000],
])('work is held %s', (_, heartbeatSeconds, remaining, ms) => {
  const module = { heartbeatSeconds } as Pick<Module, 'heartbeatSeconds'>;
  expect(leaseMs(module, lambdaContext({ getRemainingTimeInMillis: () => remaining }))).toBe(ms);
});

describe('a heartbeat', () => {
  test('keeps lease and message for as long as the work goes on', async () => {
    const work = longWork();
    const { answer } = await work.begin(beating);
    expect(leased()).toBe(30_000);
    for (const beat of [1, 2, 3, 4, 5]) {
      await time.pass(10_000);
      expect(leased()).toBe(30_000);
      expect(aws.delays).toEqual(Array(beat).fill(['receipt-of-message-e-1', 31]));
    }
    work.end();
    expect(await answer).toEqual({ batchItemFailures: [] });
    expect(aws.published).toHaveLength(1);
  });

  test('ends with the work', async () => {
    const work = longWork();
    const { answer } = await work.begin(beating);
    work.end();
    await answer;
    const calls = aws.table.calls.commandCalls(UpdateItemCommand).length;
    await time.pass(60_000);
    expect(aws.table.calls.commandCalls(UpdateItemCommand)).toHaveLength(calls);
    expect(aws.delays).toEqual([]);
  });

  test('of a worker that was taken over aborts its signal, and it publishes nothing', async () => {
    const work = longWork();
    const { answer } = await work.begin(beating);
    const other = new Ledger(dynamodb(), 'ledger');
    await time.run(() => other.acquire('grade-essay', 'e-1', { leaseMs: 60_000, takeOver: true }));
    expect(work.signal().aborted).toBe(false);
    await time.pass(10_000);
    expect(work.signal().aborted).toBe(true);
    expect(work.signal().reason).toMatchObject({ code: 'HR305' });
    work.end();
    expect(await answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-e-1' }] });
    expect(aws.published).toEqual([]);
    expect(leased()).toBe(50_000);
  });

  test('that fails on the way is made good by the next', async () => {
    const work = longWork();
    await work.begin(beating);
    aws.queues.on(ChangeMessageVisibilityCommand).rejectsOnce(new Error('queue out of reach')).resolves({});
    await time.pass(20_000);
    expect(aws.delays).toHaveLength(2);
    expect(leased()).toBe(30_000);
    aws.table.calls.on(UpdateItemCommand).rejects(new Error('table out of reach'));
    await time.pass(10_000);
    expect(leased()).toBe(20_000);
    expect(work.signal().aborted).toBe(false);
    work.end();
  });

  test('is given only by modules that ask for it', async () => {
    const work = longWork();
    const { answer } = await work.begin(gradeEssay);
    expect(leased()).toBe(601_000);
    const calls = aws.table.calls.commandCalls(UpdateItemCommand).length;
    await time.pass(300_000);
    expect(aws.table.calls.commandCalls(UpdateItemCommand)).toHaveLength(calls);
    expect(leased()).toBe(301_000);
    expect(aws.delays).toEqual([]);
    work.end();
    await answer;
  });
});

test.each([
  ['with', beating],
  ['without', gradeEssay],
])('the signal fires two seconds before the invocation ends, %s a heartbeat', async (_, module) => {
  const work = longWork();
  const { answer } = await work.begin(module, 60_000);
  await time.pass(57_999);
  expect(work.signal().aborted).toBe(false);
  await time.pass(1);
  expect(work.signal().reason).toMatchObject({ message: 'the invocation is about to end' });
  work.end();
  await answer;
});
