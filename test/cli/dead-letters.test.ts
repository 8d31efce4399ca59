import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { main } from '../../lib/cli';
import { groupLetters, peek, readLetter, redrive } from '../../lib/cli/dead-letters';
import { client, mailbox, parked, sent, serve, sqs, text } from './dead-letter-queue';
import { pipelineOutputs, stackAnswer } from './stack-answer';
import { testHost } from './test-host';

beforeEach(() => sqs.reset());

test('groups letters by module and error, most first', () => {
  const timedOut = { name: 'TimeoutError', message: 'too slow' };
  const letters = [parked(1), parked(2, timedOut), parked(3, timedOut)].map((each) => readLetter('train', each));
  expect(groupLetters(letters)).toMatchObject([
    { module: 'train', error: 'TimeoutError', count: 2, newest: '2026-01-01T00:00:03.000Z', ids: ['m-3', 'm-2'] },
    { module: 'train', error: 'Error', count: 1 },
  ]);
});

test('a letter that SQS moved itself is told as crashed or timed out', () => {
  const letter = readLetter('train', {
    MessageId: 'm',
    Body: 'not json',
    Attributes: { ApproximateReceiveCount: '4' },
  });
  expect(letter).toMatchObject({ reason: 'unhandled', error: { name: 'NotHandled' }, attempts: 4 });
  expect(letter.event).toBeUndefined();
});

test('looking at letters takes none away', async () => {
  const queue = serve(Array.from({ length: 25 }, (_, i) => parked(i)));
  expect(await peek(client, mailbox, 1000)).toHaveLength(25);
  expect(queue.visible).toHaveLength(25);
  expect(queue.hidden.size).toBe(0);
});

test('redrives more than one batch: the body unchanged, our attributes off, those of others kept', async () => {
  const queue = serve(Array.from({ length: 25 }, (_, i) => parked(i)));
  const now = new Date('2026-02-01T00:00:00.000Z');
  const done = await redrive({ sqs: client, mailbox, atMost: 25, now: () => now });
  expect(done).toEqual({ module: 'deploy-model', done: 25, refused: 0, left: 0, interrupted: false });
  expect(queue.visible).toHaveLength(0);
  expect(queue.hidden.size).toBe(0);
  expect(sent().map(({ MessageBody }) => MessageBody)).toEqual(Array.from({ length: 25 }, (_, i) => `{"n":${i}}`));
  expect(sent()[0]?.MessageAttributes).toEqual({ tenant: text('acme'), 'headrace.redriven': text(now.toISOString()) });
});

test('large letters go in requests that SQS takes, and one of the greatest size goes without our note', async () => {
  const letter = (n: number, bytes: number) => ({ ...parked(n), Body: 'x'.repeat(bytes), MessageAttributes: {} });
  const [largest, ...large] = [1024 * 1024, ...Array<number>(9).fill(300_000)].map((bytes, n) => letter(n, bytes));
  serve([largest!, ...large, letter(10, 1)]);
  expect(await redrive({ sqs: client, mailbox, atMost: 11 })).toMatchObject({ done: 11, refused: 0 });
  const requests = sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);
  expect(requests.map(({ length }) => length)).toEqual([1, 3, 3, 4]);
  expect(requests[0]?.[0]?.MessageAttributes).toEqual({});
  expect(Object.keys(requests[1]?.[0]?.MessageAttributes ?? {})).toEqual(['headrace.redriven']);
});

test('a letter the queue refuses stays where it was', async () => {
  const queue = serve([parked(1), parked(2)], { refuse: ['{"n":2}'] });
  const done = await redrive({ sqs: client, mailbox, atMost: 2 });
  expect(done).toMatchObject({ done: 1, refused: 1 });
  expect(queue.visible.map(({ MessageId }) => MessageId)).toEqual(['m-2']);
});

test('with an id only that letter moves, and the others are seen again at once', async () => {
  const queue = serve([parked(1), parked(2), parked(3)]);
  const done = await redrive({ sqs: client, mailbox, atMost: 3, wanted: (letter) => letter.id === 'm-2' });
  expect(done.done).toBe(1);
  expect(queue.visible.map(({ MessageId }) => MessageId)).toEqual(['m-1', 'm-3']);
});

test('letters parked after the move began are not moved in circles', async () => {
  serve([parked(1), parked(2)]);
  const done = await redrive({ sqs: client, mailbox, atMost: 2, now: () => new Date('2025-12-31T00:00:00Z') });
  expect(done.done).toBe(0);
});

describe('a module that is not deployed yet', () => {
  const run = async (...argv: string[]) => {
    mockClient(CloudFormationClient)
      .on(DescribeStacksCommand)
      .resolves(stackAnswer(pipelineOutputs('PredictDigit', 'TrainDigits')));
    serve([]);
    const host = testHost({ env: { AWS_REGION: 'eu-central-1' } });
    const code = await main([...argv, '--target', 'aws'], host);
    return { code, out: host.out(), err: host.err() };
  };

  test('is skipped with a note', async () => {
    expect(await run('dlq', 'list')).toEqual({
      code: 0,
      out: 'No dead letters.\n',
      err: 'not deployed yet: predict-digit, train-digits (npx headrace deploy)\n',
    });
    expect(await run('runs', 'list')).toMatchObject({ code: 0, err: expect.stringContaining('train-digits') });
    expect(await run('dlq', 'redrive', '--all')).toMatchObject({ code: 0, out: 'No dead letters to move.\n' });
  });

  test('fails with what to do when it is the one that was asked for', async () => {
    const { code, err } = await run('dlq', 'list', 'predict-digit');
    expect(code).toBe(1);
    expect(err).toMatch(/HR502 predict-digit is not deployed yet.*npx headrace deploy/s);
  });
});
