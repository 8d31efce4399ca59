import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { deliveriesOf, ledgerStates, senderFor } from '../../../lib/cli/replay';
import { NOW } from '../../support/clock';
import { entryOf, subscribers } from './past';

describe('the records of the ledger', () => {
  const table = mockClient(DynamoDBClient);
  const look = ledgerStates(new DynamoDBClient({ region: 'us-east-1' }), 'ledger');
  beforeEach(() => table.reset());
  afterAll(() => table.restore());

  const asked = () =>
    table
      .commandCalls(BatchGetItemCommand)
      .map(({ args }) => args[0].input.RequestItems?.ledger?.Keys?.map(({ pk }) => pk?.S) ?? []);

  test('are asked for by the hundred, each key once, and again where the table was too busy', async () => {
    table
      .on(BatchGetItemCommand)
      .resolvesOnce({ UnprocessedKeys: { ledger: { Keys: [{ pk: { S: 'k-7' } }] } } })
      .resolves({});
    await look([...Array.from({ length: 150 }, (_, i) => `k-${i}`), 'k-0', 'k-149']);
    const lengths = asked().map((keys) => keys.length);
    expect(lengths.sort((a, b) => b - a)).toEqual([100, 50, 1]);
    expect(asked().at(-1)).toEqual(['k-7']);
  });

  test('tell what is done, what is being done and what was given up', async () => {
    const item = (pk: string, status: string, more: object = {}) => ({
      pk: { S: pk },
      status: { S: status },
      fence: { N: '3' },
      ...more,
    });
    const items = [
      item('done', 'done'),
      item('working', 'leased'),
      item('resting', 'leased'),
      item('parked', 'leased', { parked_at: { N: '1767323045000' } }),
    ];
    table.on(BatchGetItemCommand).resolves({ Responses: { ledger: items } });
    const stateOf = await look(['done', 'working', 'resting', 'parked', 'new']);
    expect(
      ['done', 'working', 'resting', 'parked', 'new'].map((key) => [stateOf(key).done, stateOf(key).parked]),
    ).toEqual([
      [true, false],
      [false, false],
      [false, false],
      [false, true],
      [false, false],
    ]);
    expect([stateOf('parked').fence, stateOf('new').fence]).toEqual([3, 0]);
  });
});

describe('the messages', () => {
  const queues = mockClient(SQSClient);
  const send = senderFor(new SQSClient({ region: 'us-east-1' }), { name: 'r-1', again: false, emit: false });
  beforeEach(() => queues.reset());
  afterAll(() => queues.restore());

  const deliveries = (ids: readonly string[], data: object = {}) =>
    ids.flatMap((id) => deliveriesOf(entryOf({ id, data }), subscribers(), NOW));
  const sent = () =>
    queues.commandCalls(SendMessageBatchCommand).map(({ args }) => ({
      queue: args[0].input.QueueUrl,
      ids: (args[0].input.Entries ?? []).map(({ MessageBody = '' }) => JSON.parse(MessageBody).detail.id as string),
    }));

  test('go to the queue of their subscriber, ten a request', async () => {
    queues.on(SendMessageBatchCommand).resolves({});
    const ids = Array.from({ length: 12 }, (_, i) => `e-${i}`);
    await send(deliveries(ids, { words: 900 }));
    expect(sent().map(({ queue, ids: those }) => [queue, those.length])).toEqual([
      ['queue/grade', 10],
      ['queue/read', 10],
      ['queue/grade', 2],
      ['queue/read', 2],
    ]);
  });

  test('go in smaller requests when they are large', async () => {
    queues.on(SendMessageBatchCommand).resolves({});
    await send(deliveries(['a', 'b', 'c'], { date: 'x'.repeat(500_000) }));
    expect(sent().map(({ ids }) => ids)).toEqual([['a', 'b'], ['c']]);
  });

  test('that were not taken are sent again, and only those', async () => {
    queues
      .on(SendMessageBatchCommand)
      .resolvesOnce({ Failed: [{ Id: '1', SenderFault: false, Code: 'InternalError' }], Successful: [] })
      .resolves({});
    await send(deliveries(['a', 'b', 'c']));
    expect(sent().map(({ ids }) => ids)).toEqual([['a', 'b', 'c'], ['b']]);
  });

  test('that SQS will never take end the replay with its reason', async () => {
    const Failed = [{ Id: '0', SenderFault: true, Code: 'InvalidMessageContents', Message: 'bad characters' }];
    queues.on(SendMessageBatchCommand).resolves({ Failed, Successful: [] });
    await expect(send(deliveries(['a']))).rejects.toThrow(/HR526.*queue\/grade.*bad characters/s);
  });
});
