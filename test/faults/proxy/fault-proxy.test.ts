import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { FaultProxy } from './fault-proxy';
import type { Fault } from './plan';

/** How the SDK says that a connection broke. */
const BROKEN = /socket hang up|ECONNRESET/;

/** Bodies that reached the target. */
let arrived: string[];
let target: Server;
let proxy: FaultProxy;
let clients: { destroy(): void }[];

beforeEach(async () => {
  arrived = [];
  clients = [];
  target = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const part of incoming) body += part;
    arrived.push(body);
    outgoing
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-served': String(arrived.length) })
      .end('{}');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  proxy = new FaultProxy(`http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  await proxy.start();
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  await proxy.stop();
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
});

const config = () => ({
  endpoint: proxy.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  forcePathStyle: true,
  maxAttempts: 1,
});

const opened = <T extends { destroy(): void }>(client: T): T => {
  clients.push(client);
  return client;
};

const put = () =>
  opened(new DynamoDBClient(config())).send(new PutItemCommand({ TableName: 'table', Item: { pk: { S: 'one' } } }));

const suffer = (fault: Fault) => {
  proxy.plan = () => fault;
};

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error: Error) => error.name,
  );

test('a call that suffers nothing reaches the target unchanged, and its answer the caller', async () => {
  expect(await outcome(put())).toBe('answered');
  expect(arrived).toEqual(['{"TableName":"table","Item":{"pk":{"S":"one"}}}']);
});

test('the plan is told which call it decides about, the witness what the target answered', async () => {
  const seen: unknown[] = [];
  proxy.plan = ({ service, operation }) => {
    seen.push([service, operation]);
    return { kind: 'pass' };
  };
  proxy.witness = ({ operation }, status) => seen.push([operation, status]);
  await put();
  expect(seen).toEqual([
    ['dynamodb', 'PutItem'],
    ['PutItem', 200],
  ]);
});

test('a dropped answer: the call took effect, the caller sees a broken connection', async () => {
  suffer({ kind: 'drop' });
  await expect(put()).rejects.toThrow(BROKEN);
  expect(arrived).toHaveLength(1);
});

test('a duplicated call takes effect twice and is answered once', async () => {
  suffer({ kind: 'duplicate' });
  expect(await outcome(put())).toBe('answered');
  expect(arrived).toHaveLength(2);
});

test('a delayed call takes effect after all', async () => {
  suffer({ kind: 'delay', ms: 1 });
  expect(await outcome(put())).toBe('answered');
  expect(arrived).toHaveLength(1);
});

test.each([
  ['DynamoDB', put, 'ProvisionedThroughputExceededException', 400],
  [
    'SQS',
    () =>
      opened(new SQSClient(config())).send(
        new SendMessageCommand({ QueueUrl: `${proxy.url}/0/queue`, MessageBody: 'hello' }),
      ),
    'ThrottlingException',
    400,
  ],
  [
    'S3',
    () => opened(new S3Client(config())).send(new PutObjectCommand({ Bucket: 'bucket', Key: 'key', Body: 'hello' })),
    'SlowDown',
    503,
  ],
])('%s refuses a throttled call in its own words, and nothing takes effect', async (_, call, name, status) => {
  suffer({ kind: 'throttle' });
  await expect(call()).rejects.toMatchObject({ name, $metadata: { httpStatusCode: status } });
  expect(arrived).toEqual([]);
});

test('a service that breaks answers 500, and nothing takes effect', async () => {
  suffer({ kind: 'error' });
  await expect(put()).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
  expect(arrived).toEqual([]);
});

test('the SDK tries again after a throttle, as it does on AWS', async () => {
  const plans: Fault[] = [{ kind: 'throttle' }, { kind: 'pass' }];
  proxy.plan = () => plans.shift() ?? { kind: 'pass' };
  const client = opened(new DynamoDBClient({ ...config(), maxAttempts: 2 }));
  await client.send(new PutItemCommand({ TableName: 'table', Item: { pk: { S: 'one' } } }));
  expect(arrived).toHaveLength(1);
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)(
  'an interruption %s a call runs when %i of it took effect, and the caller gets no answer',
  async (when, effects) => {
    let then = -1;
    suffer({
      kind: 'interrupt',
      when,
      act: () => {
        then = arrived.length;
      },
    });
    await expect(put()).rejects.toThrow(BROKEN);
    expect([then, arrived.length]).toEqual([effects, effects]);
  },
);

test('a target that is gone is a broken connection, and the proxy lives on', async () => {
  const other = new FaultProxy('http://127.0.0.1:1');
  await other.start();
  const client = opened(new DynamoDBClient({ ...config(), endpoint: other.url }));
  const call = () => client.send(new PutItemCommand({ TableName: 'table', Item: { pk: { S: 'one' } } }));
  await expect(call()).rejects.toThrow(BROKEN);
  await expect(call()).rejects.toThrow(BROKEN);
  await other.stop();
});

test('a queue goes by our address at the worker and by its own at the target', async () => {
  const { port } = target.address() as AddressInfo;
  const QueueUrl = proxy.inPlaceOfTarget(`http://localhost:${port}/0/queue`);
  expect(QueueUrl).toBe(`${proxy.url}/0/queue`);
  const { endpoint: _, ...rest } = config();
  await outcome(
    opened(new SQSClient({ ...rest, endpoint: proxy.url })).send(
      new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }),
    ),
  );
  expect(arrived.map((body) => JSON.parse(body).QueueUrl)).toEqual([`http://localhost:${port}/0/queue`]);
});
