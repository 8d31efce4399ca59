import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
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
const BATCH = 10;

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
      for (let i = 0; i < chosen.length; i += BATCH) {
        const batch = chosen.slice(i, i + BATCH);
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

async function move(sqs: SQSClient, mailbox: Mailbox, batch: readonly HeldLetter[], now: string): Promise<number> {
  const sent = await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: mailbox.queueUrl,
      Entries: batch.map(({ message }, i) => ({
        Id: String(i),
        MessageBody: message.Body,
        MessageAttributes: freshAttributes(message.MessageAttributes ?? {}, now),
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

/** The attributes the message had before it was parked, and when it was sent back. */
function freshAttributes(
  attributes: Readonly<Record<string, MessageAttributeValue>>,
  now: string,
): Record<string, MessageAttributeValue> {
  const own = Object.entries(attributes).filter(([name]) => !name.startsWith('headrace.'));
  return { ...Object.fromEntries(own), [LETTER.redriven]: { DataType: 'String', StringValue: now } };
}
