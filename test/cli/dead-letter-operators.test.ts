import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { main } from '../../lib/cli';
import {
  type DeadLetter,
  discard,
  findLetter,
  groupLetters,
  readLetter,
  redrive,
  sendCorrection,
} from '../../lib/cli/dead-letters';
import { fileShelf, storeShelf } from '../../lib/cli/dead-letters/discard-shelf';
import { memoryStore } from '../support/memory-store';
import { client, ids, mailbox, parked, sent, serve, sqs } from './dead-letter-queue';
import { pipelineOutputs, stackAnswer } from './stack-answer';
import { testHost } from './test-host';

const many = (count: number) => Array.from({ length: count }, (_, i) => parked(i));
const awsError = (name: string) => Object.assign(new Error(`${name}: the queue says so`), { name });

beforeEach(() => sqs.reset());
afterEach(() => jest.useRealTimers());

describe('Ctrl-C', () => {
  test('ends a redrive after the batch in hand; the letters it held are seen again at once', async () => {
    const queue = serve(many(35));
    const stop = new AbortController();
    const done = await redrive({
      sqs: client,
      mailbox,
      atMost: 35,
      signal: stop.signal,
      onDone: (count) => count >= 20 && stop.abort(),
    });
    expect(done).toMatchObject({ done: 20, interrupted: true });
    expect(queue.visible).toHaveLength(15);
    expect(queue.hidden.size).toBe(0);
  });

  test('does not wait for the rate', async () => {
    serve(many(3));
    const stop = new AbortController();
    const options = { sqs: client, mailbox, atMost: 3, rate: 0.001, signal: stop.signal };
    expect(await redrive({ ...options, onDone: () => stop.abort() })).toMatchObject({ done: 1, interrupted: true });
  });
});

describe('what fails in the middle loses nothing', () => {
  test('a queue that goes away: what was moved stays moved, the rest is given back', async () => {
    const queue = serve(many(25));
    sqs
      .on(SendMessageBatchCommand)
      .callsFakeOnce(({ Entries }) => ({ Successful: Entries }))
      .rejects(awsError('QueueDoesNotExist'));
    const done = await redrive({ sqs: client, mailbox, atMost: 25 });
    expect(done).toMatchObject({ done: 10, failure: { name: 'QueueDoesNotExist' } });
    expect(queue.visible).toHaveLength(15);
    expect(queue.hidden.size).toBe(0);
  });

  test('a letter that was sent and could not be deleted is told: its event is dropped when it comes again', async () => {
    serve(many(2));
    sqs.on(DeleteMessageBatchCommand).resolves({ Failed: [{ Id: '1', Code: 'x', SenderFault: false }] });
    expect(await redrive({ sqs: client, mailbox, atMost: 2 })).toMatchObject({ done: 2, left: 1 });
  });

  test('what cannot be written down is not discarded', async () => {
    const queue = serve(many(3));
    const shelf = { place: 'nowhere', keep: () => Promise.reject(new Error('disk full')) };
    const done = await discard({
      sqs: client,
      mailbox,
      atMost: 3,
      reason: 'old',
      shelf,
      giveTurn: async () => undefined,
    });
    expect(done).toMatchObject({ done: 0, failure: { message: 'disk full' } });
    expect(queue.visible).toHaveLength(3);
  });
});

test('a hold that ends soon is prolonged before a letter is sent; one that has ended is left to others', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout'] });
  const queue = serve(many(30));
  const passing = [45_000, 70_000];
  const done = await redrive({
    sqs: client,
    mailbox,
    atMost: 30,
    onDone: () => jest.setSystemTime(Date.now() + (passing.shift() ?? 0)),
  });
  const prolonged = sqs
    .commandCalls(ChangeMessageVisibilityBatchCommand)
    .filter(({ args }) => args[0].input.Entries?.[0]?.VisibilityTimeout === 60);
  expect(prolonged).toHaveLength(1);
  expect(done.done).toBe(20);
  expect(sent()).toHaveLength(20);
  // Nobody touched them: they come back by themselves.
  expect(queue.hidden.size).toBe(10);
});

describe('a correction', () => {
  const found = async (id: string) => findLetter(client, [mailbox], id);
  const correction = { id: 'new', causationId: 'old', body: '{"fixed":true}' };

  test('is sent first, with the old attributes of others and our notes; then the letter is removed', async () => {
    const messages = many(3).map((each) => ({ ...each, MessageId: `letter-${each.MessageId}` }));
    const queue = serve(messages);
    expect(await sendCorrection(client, await found('letter-m-1'), correction)).toBe(true);
    expect(ids(queue.visible)).toEqual(['letter-m-0', 'letter-m-2']);
    const input = sqs.commandCalls(SendMessageCommand)[0]?.args[0].input;
    expect(input).toMatchObject({ QueueUrl: 'queue', MessageBody: '{"fixed":true}' });
    expect(Object.keys(input?.MessageAttributes ?? {}).sort()).toEqual([
      'headrace.edited-from',
      'headrace.redriven',
      'tenant',
    ]);
  });

  test('that the queue does not accept leaves the letter as it was', async () => {
    const queue = serve([{ ...parked(1), MessageId: 'letter-1' }]);
    sqs.on(SendMessageCommand).rejects(awsError('InvalidParameterValue'));
    await expect(sendCorrection(client, await found('letter-1'), correction)).rejects.toMatchObject({ code: 'HR513' });
    expect(ids(queue.visible)).toEqual(['letter-1']);
  });

  test('of a letter that somebody else has in hand is not sent', async () => {
    const queue = serve([{ ...parked(1), MessageId: 'letter-1' }]);
    const letter = await found('letter-1');
    queue.hidden.set('theirs', queue.visible.pop()!);
    await expect(sendCorrection(client, letter, correction)).rejects.toMatchObject({ code: 'HR515' });
    expect(sqs.commandCalls(SendMessageCommand)).toEqual([]);
  });
});

describe('an id', () => {
  const named = (...names: string[]) => names.map((name, n) => ({ ...parked(n), MessageId: name }));

  test('that means several letters is refused with their names; the whole id of one means that one', async () => {
    serve(named('abcd', 'abcd-1', 'xyzw'));
    const several = findLetter(client, [mailbox], 'abcd-');
    expect((await several).letter.id).toBe('abcd-1');
    expect((await findLetter(client, [mailbox], 'abcd')).letter.id).toBe('abcd');
    serve(named('abcd-1', 'abcd-2'));
    await expect(findLetter(client, [mailbox], 'abcd')).rejects.toMatchObject({
      code: 'HR514',
      details: { allowed: 'abcd-1 (deploy-model), abcd-2 (deploy-model)' },
    });
  });

  test('that is wrong says so, and whether letters were out of sight', async () => {
    serve(named('abcd'));
    await expect(findLetter(client, [mailbox], 'nobody')).rejects.toMatchObject({ code: 'HR505' });
    const queue = serve(named('abcd'));
    queue.hidden.set('theirs', queue.visible.pop()!);
    const hidden = findLetter(client, [mailbox], 'abcd');
    await expect(hidden).rejects.toMatchObject({ code: 'HR505', details: { next: expect.stringMatching(/in use/) } });
  });
});

describe('the records of discarded letters', () => {
  const letter: DeadLetter = readLetter('deploy-model', parked(1));
  const record = { discarded: { at: '2026-01-01T00:00:00.000Z', by: 'ada@desk', reason: 'old' }, letter };
  const folder = mkdtempSync(join(tmpdir(), 'headrace-shelf-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('lie in a file a day that only its owner may read, one line each', async () => {
    const shelf = fileShelf(join(folder, 'discarded'), new Date('2026-01-02T03:04:05Z'));
    await shelf.keep([record]);
    await shelf.keep([record, record]);
    const lines = readFileSync(shelf.place, 'utf8').trimEnd().split('\n');
    expect(shelf.place).toBe(join(folder, 'discarded', '2026-01-02.jsonl'));
    expect(lines.map((line) => JSON.parse(line))).toEqual([record, record, record]);
    expect(statSync(shelf.place).mode & 0o077).toBe(0);
  });

  test('or in the journal, one object for each letter: twice is once', async () => {
    const store = memoryStore('journal');
    const shelf = storeShelf(store);
    await shelf.keep([record]);
    await shelf.keep([record]);
    expect(await store.list('discarded/')).toEqual(['discarded/deploy-model/m-1.json']);
  });
});

describe('the command line', () => {
  const run = async (outputs: Record<string, string>, ...argv: string[]) => {
    mockClient(CloudFormationClient).on(DescribeStacksCommand).resolves(stackAnswer(outputs));
    const host = testHost({ env: { AWS_REGION: 'eu-central-1' } });
    const code = await main([...argv, '--target', 'aws'], host);
    return { code, out: host.out(), err: host.err() };
  };
  const withOld = {
    ...pipelineOutputs(),
    QueueOldModule: 'https://sqs/OldModule',
    DeadLetterQueueOldModule: 'https://sqs/dead/OldModule',
  };

  test.each([
    [['dlq', 'redrive'], /Which letters/],
    [['dlq', 'redrive', '--id', 'ab'], /too short/],
    [['dlq', 'redrive', '--id', ''], /too short/],
    [['dlq', 'redrive', '--group', 'xyz'], /no name of a group/],
    [['dlq', 'redrive', '--all', '--id', 'abcdef'], /contradicts/],
    [['dlq', 'redrive', 'deploy-modle'], /Did you mean deploy-model/],
    [['dlq', 'discard', 'deploy-model'], /Why may the letters be forgotten/],
    [['dlq', 'discard', 'deploy-model', '--reason', ' '], /Why may the letters be forgotten/],
    [['dlq', 'show', 'ab'], /too short/],
  ])('refuses %j', async (argv, message) => {
    serve([]);
    const { code, err } = await run(pipelineOutputs(), ...argv);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
  });

  test('lists the letters of a module that has left the project, and does not send them anywhere', async () => {
    serve([parked(1)]);
    const { out } = await run(withOld, 'dlq', 'list', 'old-module');
    expect(out).toMatch(/old-module.*no longer in the project/);
    serve([parked(1)]);
    const { code, err } = await run(withOld, 'dlq', 'redrive', 'old-module', '--yes');
    expect(code).toBe(1);
    expect(err).toMatch(/HR511.*old-module is still deployed/s);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toEqual([]);
  });

  test('without --yes and without anybody to ask moves and discards nothing', async () => {
    const queue = serve([parked(1), parked(2)]);
    for (const words of [['redrive'], ['discard', '--reason', 'old']]) {
      const { code, err } = await run(pipelineOutputs(), 'dlq', ...words, 'deploy-model');
      expect(code).toBe(2);
      expect(err).toMatch(/2 letters would be (moved|discarded); none was/);
    }
    expect(queue.visible).toHaveLength(2);
  });

  test('tells of each queue that is gone, and lists the others', async () => {
    const gone = { QueueUrl: 'https://sqs/dead/DeployModel' };
    serve([]);
    sqs.on(GetQueueAttributesCommand, gone).rejects(awsError('QueueDoesNotExist'));
    const { code, out } = await run(pipelineOutputs(), 'dlq', 'list', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ total: 0, failures: [{ module: 'deploy-model', code: 'HR512' }] });
    const { err } = await run(pipelineOutputs(), 'dlq', 'list', 'deploy-model');
    expect(err).toMatch(/HR512/);
  });

  test('tells of a queue that no longer takes the letters, which stay', async () => {
    const queue = serve([parked(1)]);
    sqs.on(SendMessageBatchCommand).rejects(awsError('MissingParameter'));
    const { code, out } = await run(pipelineOutputs(), 'dlq', 'redrive', 'deploy-model', '--yes', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ moved: 0, failures: [{ module: 'deploy-model', code: 'HR513' }] });
    expect(queue.visible).toHaveLength(1);
  });

  test('moves one group and leaves the others', async () => {
    const timedOut = { name: 'TimeoutError', message: 'too slow' };
    const letters = [parked(1), parked(2, timedOut), parked(3, timedOut)];
    const [{ group } = { group: '' }] = groupLetters(letters.map((each) => readLetter('deploy-model', each)));
    const queue = serve(letters);
    const { out } = await run(pipelineOutputs(), 'dlq', 'redrive', 'deploy-model', '--group', group, '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject({ moved: 2 });
    expect(ids(queue.visible)).toEqual(['m-1']);
  });

  test('tells how many letters it did not come upon, because another was at them', async () => {
    const queue = serve([parked(1), parked(2), parked(3)]);
    queue.hidden.set('theirs', queue.visible.pop()!);
    const { out } = await run(pipelineOutputs(), 'dlq', 'redrive', 'deploy-model', '--yes', '--json');
    expect(JSON.parse(out)).toMatchObject({ total: 3, moved: 2, missed: 1 });
  });
});
