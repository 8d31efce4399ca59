import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchResultErrorEntry, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { HeadraceError } from '../../contract';
import type { Delivery } from './deliveries';
import type { Replay } from './plan';

/** Messages of one request (SQS quota). */
const BATCH = 10;
/** Bytes of one request (SQS quota: 1 MiB). */
const MAX_BYTES = 1024 * 1024;
const ATTEMPTS = 6;

/** Puts deliveries in the queues of their subscribers. */
export type Send = (deliveries: readonly Delivery[]) => Promise<void>;

interface Outgoing {
  readonly queueUrl: string;
  readonly body: string;
}

/** @throws HeadraceError HR526 (when called) for a message that SQS does not take after several attempts */
export function senderFor(sqs: SQSClient, replay: Pick<Replay, 'name' | 'again' | 'emit'>): Send {
  return async (deliveries) => {
    const messages = deliveries.map((each) => ({
      queueUrl: each.subscriber.queueUrl,
      body: messageOf(each, replay),
    }));
    await Promise.all(batchesOf(messages).map((batch) => sendBatch(sqs, batch)));
  };
}

/** The event as it was on the bus, and how the replay delivers it. */
export function messageOf(
  { entry }: Pick<Delivery, 'entry'>,
  { name, again, emit }: Pick<Replay, 'name' | 'again' | 'emit'>,
): string {
  return JSON.stringify({
    ...entry.event,
    'replay-name': name,
    ...(again && { 'replay-again': true }),
    ...(emit && { 'replay-emit': true }),
  });
}

function batchesOf(messages: readonly Outgoing[]): Outgoing[][] {
  const open = new Map<string, { batch: Outgoing[]; bytes: number }>();
  const batches: Outgoing[][] = [];
  for (const message of messages) {
    const size = Buffer.byteLength(message.body);
    const last = open.get(message.queueUrl);
    if (last && last.batch.length < BATCH && last.bytes + size <= MAX_BYTES) {
      last.batch.push(message);
      last.bytes += size;
    } else {
      const batch = [message];
      batches.push(batch);
      open.set(message.queueUrl, { batch, bytes: size });
    }
  }
  return batches;
}

async function sendBatch(sqs: SQSClient, batch: readonly Outgoing[]): Promise<void> {
  let left = batch;
  for (let attempt = 1; ; attempt++) {
    const { Failed = [] } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: batch[0]?.queueUrl,
        Entries: left.map(({ body }, i) => ({ Id: String(i), MessageBody: body })),
      }),
    );
    if (Failed.length === 0) return;
    if (attempt === ATTEMPTS || Failed.some(({ SenderFault }) => SenderFault)) throw refused(batch, Failed);
    left = Failed.flatMap(({ Id }) => left[Number(Id)] ?? []);
    await sleep(100 * 2 ** attempt);
  }
}

function refused([first]: readonly Outgoing[], failed: readonly BatchResultErrorEntry[]): HeadraceError {
  return new HeadraceError('HR526', {
    what: `${first?.queueUrl} did not accept ${failed.length} messages (${failed[0]?.Code}: ${failed[0]?.Message}).`,
    next: 'Mend that and give the command again with the same --name: what is done is skipped.',
  });
}
