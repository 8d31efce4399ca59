import { createHash, randomUUID } from 'node:crypto';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Context as LambdaContext, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { objectCreated } from '../../../lib/contract';
import { defineModule, ENV } from '../../../lib/module';
import { consume, type Platform, runOn } from '../../../lib/runtime';
import { Table } from '../../../lib/testkit/table';
import { permutation, random } from '../../../vision/rng';

/** One notice that an object was written. */
export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly sequencer: string;
}

export interface Uploads {
  readonly events: readonly Upload[];
  /** How many of them say what another says too. */
  readonly doubled: number;
  /** Hash of what has to be known last of every object. */
  readonly expected: string;
}

/** Sequencers of growing length, as S3 has them: a number in hexadecimal, followed by digits that only refine it. */
const sequencerOf = (write: number) => `${(4096 + write).toString(16)}${'0a5'.slice(0, write % 4)}`;

/** All notices in the order of writing: every fifth write is told twice under two ids, every seventh twice under one. */
export function uploadsOf({ objects, writes }: { readonly objects: number; readonly writes: number }): Uploads {
  const events: Upload[] = [];
  const last = new Map<string, string>();
  for (let write = 1; write <= writes; write++) {
    for (let object = 0; object < objects; object++) {
      const upload = { id: `${object}-${write}`, key: `object-${object}`, sequencer: sequencerOf(write) };
      const tie = write % 5 === 0 ? [{ ...upload, id: `${upload.id}-tie` }] : [];
      events.push(upload, ...tie, ...(write % 7 === 0 ? [upload] : []));
      last.set(upload.key, upload.sequencer);
    }
  }
  return { events, doubled: events.length - objects * writes, expected: hashOf(last) };
}

const hashOf = (state: ReadonlyMap<string, string>) =>
  createHash('sha256')
    .update(JSON.stringify([...state].sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 16);

const scan = defineModule({
  name: 'scan-object',
  summary: 'Knows what was written last to every object',
  on: [objectCreated('objects')],
  emits: [],
  ordered: true,
});

const BATCHES_AT_ONCE = 3;

/**
 * Hands the notices to an ordered module in this order, three batches side by side; what it gives back comes again
 * somewhere among those that are left.
 *
 * @returns the hash of what the module knows in the end
 */
export async function disturbed(events: readonly Upload[], seed: number): Promise<string> {
  const state = new Map<string, string>();
  const handler = consume(scan, async ({ data: { object } }) => {
    await new Promise((resolve) => setImmediate(resolve));
    state.set(object.key, object.sequencer ?? '');
    return [];
  });
  const draw = random(seed, 7);
  const surroundings = inMemory(draw);
  let left = [...events];
  const deliver = async (batch: readonly Upload[]) => {
    const Records = batch.map(messageOf);
    const answer = await runOn(surroundings, () => handler({ Records }, LAMBDA));
    const failed = (answer as SQSBatchResponse).batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
    return failed.map((i) => batch[i] as Upload);
  };
  while (left.length > 0) {
    const batches = Array.from({ length: BATCHES_AT_ONCE }, (_, i) => left.slice(10 * i, 10 * i + 10));
    const again = (await Promise.all(batches.filter(({ length }) => length > 0).map(deliver))).flat();
    left = left.slice(10 * BATCHES_AT_ONCE);
    const places = permutation(Math.max(1, left.length), draw);
    again.forEach((upload, i) => {
      left.splice(places[i % places.length] ?? 0, 0, upload);
    });
  }
  return hashOf(state);
}

const LAMBDA = { getRemainingTimeInMillis: () => 60_000, awsRequestId: 'request' } as LambdaContext;

function messageOf({ id, key, sequencer }: Upload, index: number): SQSRecord {
  const time = new Date().toISOString();
  const detail = { bucket: { name: 'objects' }, object: { key, size: 1, sequencer } };
  const body = JSON.stringify({ id, source: 'aws.s3', 'detail-type': 'Object Created', time, detail });
  const attributes = { ApproximateReceiveCount: '1', ApproximateFirstReceiveTimestamp: String(Date.now()) };
  return { messageId: String(index), receiptHandle: id, body, attributes } as SQSRecord;
}

/** Surroundings with a table, and queues that take everything. */
function inMemory(draw: () => number): Platform {
  const table = new Table();
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const env: Readonly<Record<string, string>> = { [ENV.ledger]: 'ledger', [ENV.queueUrl]: 'queue' };
  const mute = { send: async () => ({}) };
  const dynamodb = {
    async send(command: unknown) {
      await new Promise((resolve) => setImmediate(resolve));
      if (command instanceof GetItemCommand) return table.get(command.input);
      if (command instanceof UpdateItemCommand) return table.update(command.input);
      throw new Error('the runtime sends no other command to its table');
    },
  };
  return {
    now: () => Date.now(),
    random: draw,
    uuid: () => randomUUID(),
    sleep: () => new Promise(() => undefined),
    env: (name) => env[name],
    log: () => silent,
    count: () => undefined,
    clients: { dynamodb, eventbridge: mute, s3: mute, sfn: mute, sqs: mute },
  };
}
