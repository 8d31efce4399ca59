import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { LETTER } from '../../runtime/dead-letter';
import { type HeldLetter, hold, type Mailbox, release } from './mailbox';

export interface Redrive {
  readonly sqs: SQSClient;
  readonly mailbox: Mailbox;
  /** Which letters to move. @default - all */
  readonly wanted?: (held: HeldLetter) => boolean;
  /** Letters that were there when the move was decided: those that fail again meanwhile are not moved in circles. */
  readonly atMost: number;
  /** Letters a second. @default - as fast as it goes */
  readonly rate?: number;
  readonly onMoved?: (moved: number) => void;
  /** @default - now */
  readonly now?: () => Date;
}

export interface Redriven {
  readonly module: string;
  readonly moved: number;
  /** Letters SQS would not take; they are still in the dead letter queue. */
  readonly refused: number;
}

/** Letters held at once: they must all be moved before the hold ends. */
const CHUNK = 100;
/** Messages of one request (SQS quota). */
const BATCH = 10;
/** Bytes of one message, and of all messages of one request (SQS quota): bodies and attributes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Moves letters back to the queue they came from: sent first, deleted then, so that none is lost. One that is sent
 * twice because we were killed in between carries the same event, which the ledger drops.
 */
export async function redrive(options: Redrive): Promise<Redriven> {
  const { sqs, mailbox, atMost, wanted = () => true, onMoved = () => undefined } = options;
  const began = (options.now?.() ?? new Date()).toISOString();
  const seen = new Set<string>();
  const passed: HeldLetter[] = [];
  let moved = 0;
  let refused = 0;
  try {
    while (seen.size < atMost) {
      const held = (await hold(sqs, mailbox, Math.min(chunkSize(options.rate), atMost - seen.size))).filter(
        ({ letter }) => !seen.has(letter.id),
      );
      if (held.length === 0) break;
      for (const { letter } of held) seen.add(letter.id);
      const chosen = held.filter((each) => wanted(each) && (each.letter.parkedAt ?? '') < began);
      passed.push(...held.filter((each) => !chosen.includes(each)));
      for (const batch of batchesOf(chosen)) {
        const sent = await move(sqs, mailbox, batch, began);
        moved += sent;
        refused += batch.length - sent;
        onMoved(moved);
        if (options.rate !== undefined) await sleep((batch.length / options.rate) * 1000);
      }
    }
  } finally {
    await release(sqs, mailbox, passed);
  }
  return { module: mailbox.module, moved, refused };
}

/** A slow move holds fewer letters, so that the hold does not end before their turn. */
function chunkSize(rate: number | undefined): number {
  return rate === undefined ? CHUNK : Math.max(1, Math.min(CHUNK, Math.floor(rate * 30)));
}

/** Letters in requests that SQS takes: large ones go alone. */
function batchesOf(letters: readonly HeldLetter[]): HeldLetter[][] {
  const batches: HeldLetter[][] = [];
  let bytes = 0;
  for (const letter of letters) {
    const size = sizeOf(letter.message.Body ?? '', letter.message.MessageAttributes ?? {});
    const last = batches.at(-1);
    if (last && last.length < BATCH && bytes + size <= MAX_BYTES) {
      last.push(letter);
      bytes += size;
    } else {
      batches.push([letter]);
      bytes = size;
    }
  }
  return batches;
}

function sizeOf(body: string, attributes: Readonly<Record<string, MessageAttributeValue>>): number {
  return Object.entries(attributes).reduce(
    (sum, [name, { DataType = '', StringValue = '', BinaryValue }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(body),
  );
}

async function move(sqs: SQSClient, mailbox: Mailbox, batch: readonly HeldLetter[], now: string): Promise<number> {
  const sent = await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: mailbox.queueUrl,
      Entries: batch.map(({ message }, i) => ({
        Id: String(i),
        MessageBody: message.Body,
        MessageAttributes: freshAttributes(message, now),
      })),
    }),
  );
  const accepted = (sent.Successful ?? []).map(({ Id }) => batch[Number(Id)]).filter((each) => each !== undefined);
  const Entries = accepted.map(({ message }, i) => ({ Id: String(i), ReceiptHandle: message.ReceiptHandle }));
  if (Entries.length > 0) {
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: mailbox.deadLetterQueueUrl, Entries }));
  }
  await release(
    sqs,
    mailbox,
    batch.filter((each) => !accepted.includes(each)),
  );
  return accepted.length;
}

/** The attributes the message had before it was parked, and when it was sent back, if there is room for that. */
function freshAttributes(
  { Body = '', MessageAttributes = {} }: Message,
  now: string,
): Record<string, MessageAttributeValue> {
  const own = Object.fromEntries(Object.entries(MessageAttributes).filter(([name]) => !name.startsWith('headrace.')));
  const noted = { ...own, [LETTER.redriven]: { DataType: 'String', StringValue: now } };
  return sizeOf(Body, noted) <= MAX_BYTES ? noted : own;
}
