import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { type DryRunOptions, dryRun } from '../../lib/cli/dead-letters/dry-run';
import { tellDryRun } from '../../lib/cli/dead-letters/dry-run-report';
import { listenedIn } from '../../lib/cli/dead-letters/fit';
import { readLetter } from '../../lib/cli/dead-letters/letter';
import { RecordingClients } from '../../lib/cli/dead-letters/recording-clients';
import { defineEvent, NonRetriable } from '../../lib/contract';
import { defineModule, ENV } from '../../lib/module';
import { consume, type Logic } from '../../lib/runtime';
import { busEvent } from '../support/aws';

const parcel = (type: `parcel.${string}`) =>
  defineEvent({
    type,
    version: 1,
    summary: 'Something about a parcel',
    subject: 'parcel',
    schema: z.object({ parcel: z.string(), owner: z.string() }),
    example: { parcel: 'p', owner: 'Ada' },
    sensitive: ['owner'],
  });
const arrived = parcel('parcel.arrived');
const weighed = parcel('parcel.weighed');
const weigh = defineModule({
  name: 'weigh-parcel',
  summary: 'Weighs',
  on: [arrived],
  emits: [weighed],
  stores: { parcels: 'write' },
});

interface Call {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** A target whose every call is kept; it knows one object and the ledger's items that it is given. */
function target(items: Record<string, object> = {}) {
  const calls: Call[] = [];
  const client = {
    send: async (command: { input: Record<string, unknown> }) => {
      const { input } = command;
      calls.push({ name: command.constructor.name, input });
      if (command instanceof GetItemCommand) return { Item: items[command.input.Key?.pk?.S ?? ''] };
      if (input.Key !== 'there') throw Object.assign(new Error('none'), { $metadata: { httpStatusCode: 404 } });
      return { ETag: '"real"', Body: { transformToByteArray: async () => Buffer.from('real') } };
    },
  };
  const clients = { dynamodb: client, eventbridge: client, s3: client, sfn: client, sqs: client };
  return { calls, clients: clients as unknown as DryRunOptions['clients'] };
}

const env = {
  [ENV.bus]: 'bus',
  [ENV.ledger]: 'ledger',
  [ENV.queueUrl]: 'queue',
  [ENV.deadLetterQueueUrl]: 'dead',
  [ENV.store('parcels')]: 'parcels-bucket',
};

const letter = (
  body: unknown = busEvent(arrived.create({ parcel: 'p-1', owner: 'Grace' }), { id: 'e-1', time: new Date() }),
) =>
  readLetter('weigh-parcel', { MessageId: 'letter-1', Body: typeof body === 'string' ? body : JSON.stringify(body) });

function run(logic: Logic<typeof weigh>, items: Record<string, object> = {}, body?: unknown) {
  const { calls, clients } = target(items);
  const handler = consume(weigh, logic);
  return { calls, outcome: dryRun(letter(body), { module: weigh, handler, clients, env }) };
}

/** The names of the calls that reached the target. */
const reached = (calls: readonly Call[]) => [...new Set(calls.map(({ name }) => name))];

test('tells what would be emitted and written; nothing but reads reaches the target', async () => {
  const effect = jest.fn(async () => 'paid');
  const { calls, outcome } = run(async (event, { stores, once, log }) => {
    const read = Buffer.from(await stores.parcels.get('there')).toString();
    await stores.parcels.put('new', read);
    await once('charge', effect);
    log.info('half way');
    return [weighed.create(event.data)];
  });
  const { verdict, emitted, effects, once, log } = await outcome;
  expect(verdict).toBe('Handled');
  expect(emitted).toMatchObject([{ type: 'parcel.weighed', causationid: 'e-1', data: { parcel: 'p-1' } }]);
  expect(effects).toContainEqual(expect.objectContaining({ call: 'PutObject', on: 's3://parcels-bucket/new' }));
  expect(once).toEqual(['charge']);
  expect(log).toContainEqual({ level: 'info', message: 'half way' });
  expect(effect).not.toHaveBeenCalled();
  expect(reached(calls).sort()).toEqual(['GetItemCommand', 'GetObjectCommand']);
});

test('gives what an earlier attempt has left of once', async () => {
  const items = {
    'weigh-parcel#e-1': { status: { S: 'leased' }, fence: { N: '4' }, once: { S: '{"charge":"paid"}' } },
  };
  const seen: unknown[] = [];
  const { outcome } = run(async (_, { once }) => {
    seen.push(await once('charge', async () => 'again'));
    return [];
  }, items);
  expect(await outcome).toMatchObject({ verdict: 'Handled', once: [] });
  expect(seen).toEqual(['paid']);
});

test('tells that the ledger knows the event as done: the logic is not run', async () => {
  const logic = jest.fn(async () => []);
  const items = { 'weigh-parcel#e-1': { status: { S: 'done' }, sent: { BOOL: true }, outbox: { S: '[]' } } };
  expect(await run(logic, items).outcome).toMatchObject({ verdict: 'Duplicate', emitted: [] });
  expect(logic).not.toHaveBeenCalled();
});

test.each([
  [new NonRetriable('closed'), 'DeadLettered'],
  [new Error('not yet'), 'Retried'],
])('tells how it would fail: %s', async (error, verdict) => {
  const { calls, outcome } = run(() => Promise.reject(error));
  expect(await outcome).toMatchObject({ verdict, error: { name: error.name, message: error.message } });
  expect(reached(calls)).toEqual(['GetItemCommand']);
});

test('tells why an event would not even be read', async () => {
  const { outcome } = run(async () => [], {}, 'no json');
  expect(await outcome).toMatchObject({ verdict: 'DeadLettered', error: { code: 'HR103' } });
});

test('told to people and scripts it has neither bodies nor sensitive values', async () => {
  const { outcome } = run(async (event, { stores }) => {
    await stores.parcels.put('new', 'Grace');
    return [weighed.create(event.data)];
  });
  const project = { root: '/', modules: [], steps: [], workflows: [], contracts: [arrived, weighed] };
  const told = tellDryRun(letter(), await outcome, listenedIn(project));
  expect(told.emitted).toMatchObject([{ data: { parcel: 'p-1', owner: '(withheld)' } }]);
  expect(told.effects).toContainEqual({ call: 's3:PutObject', on: 's3://parcels-bucket/new', bytes: 5 });
  expect(JSON.stringify(told)).not.toContain('Grace');
});

describe('clients that only note what they would write', () => {
  const s3 = () => new RecordingClients(target().clients).clients.s3 as { send(command: object): Promise<never> };
  const put = (Key: string, on: object = {}) =>
    new PutObjectCommand({ Bucket: 'b', Key, Body: Buffer.from('mine'), ...on });

  test('give back what was written before', async () => {
    const client = s3();
    const { ETag } = await client.send(put('new'));
    const found = (await client.send(new GetObjectCommand({ Bucket: 'b', Key: 'new' }))) as {
      ETag: string;
      Body: { transformToString(): Promise<string> };
    };
    expect(await found.Body.transformToString()).toBe('mine');
    expect(found.ETag).toBe(ETag);
    expect(await client.send(new HeadObjectCommand({ Bucket: 'b', Key: 'new' }))).toMatchObject({ ContentLength: 4 });
  });

  test('refuse a write whose condition does not hold, as the target would', async () => {
    const client = s3();
    const refused = { $metadata: { httpStatusCode: 412 } };
    await expect(client.send(put('there', { IfNoneMatch: '*' }))).rejects.toMatchObject(refused);
    await expect(client.send(put('there', { IfMatch: '"other"' }))).rejects.toMatchObject(refused);
    await client.send(put('there', { IfMatch: '"real"' }));
    await client.send(put('new', { IfNoneMatch: '*' }));
    await expect(client.send(put('new', { IfNoneMatch: '*' }))).rejects.toMatchObject(refused);
  });

  test('note an item that is changed', async () => {
    const recording = new RecordingClients(target().clients);
    const command = new UpdateItemCommand({
      TableName: 'own',
      Key: { pk: { S: 'k' } },
      UpdateExpression: 'SET a = :a',
    });
    await recording.clients.dynamodb.send(command as never);
    expect(recording.effects).toMatchObject([{ service: 'dynamodb', call: 'UpdateItem', on: 'k' }]);
  });
});
