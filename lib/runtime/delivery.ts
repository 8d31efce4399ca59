import { ChangeMessageVisibilityCommand, DeleteMessageCommand } from '@aws-sdk/client-sqs';
import type { Context as LambdaContext, SQSRecord } from 'aws-lambda';
import { type Draft, type Event, HeadraceError, openEvent, type Replay, replayOf } from '../contract';
import { ENV, type Module } from '../module';
import { sqs } from './clients';
import type { Context } from './context';
import { type Letter, type ParkReason, park } from './dead-letter';
import type { Verdict } from './metrics';
import { platform } from './platform';
import { setting } from './setting';
import { insist } from './transient';

export type AnyLogic = (event: Event, context: Context) => Promise<readonly Draft[]>;

/** A message that was read: the event, and how it came. */
export interface Opened {
  readonly event: Event;
  readonly replay: Replay | undefined;
  /** What the ledger knows this handling by. */
  readonly workId: string;
}

/** One message in hand. */
export interface Delivery {
  readonly module: Module;
  readonly logic: AnyLogic;
  readonly record: SQSRecord;
  readonly lambda: LambdaContext;
  /** What stands in the message, or why it can't be read. */
  readonly content: Opened | { readonly error: unknown };
  /** Settles when the message's visibility has been shortened: what changes it later must come after. */
  readonly held: Promise<unknown>;
}

/** Reads a message for a module. */
export function open(module: Module, { body }: Pick<SQSRecord, 'body'>): Opened | { readonly error: unknown } {
  try {
    const message = parseJson(body);
    const event = openEvent(
      message,
      module.on.map(({ listenable }) => listenable),
    );
    const replay = replayOf(message);
    return { event, replay, workId: replay?.again ? `${event.id}@${replay.name}` : event.id };
  } catch (error) {
    return { error };
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // What the parser says would show some of the text, in the log and in the letter.
    throw new HeadraceError('HR103', {
      what: 'The message is not JSON.',
      next: 'Send events with `publish` or `npx headrace publish`, which check them first.',
    });
  }
}

/** A replay keeps what follows from the bus, unless it was told otherwise. */
export const mayEmit = (replay: Replay | undefined): boolean => replay === undefined || replay.emit;

/** How often SQS has handed this message out, this time included. */
export const receivesOf = ({ record }: Pick<Delivery, 'record'>): number =>
  Number(record.attributes.ApproximateReceiveCount);

/** Puts the message in the dead letter queue, and takes it out of its own. */
export async function giveUp(
  { module, record }: Pick<Delivery, 'module' | 'record'>,
  error: unknown,
  { reason, attempts }: { readonly reason: ParkReason; readonly attempts: number },
): Promise<Verdict> {
  const letter: Letter = {
    queueUrl: setting(ENV.deadLetterQueueUrl),
    body: record.body,
    module: module.name,
    error,
    reason,
    attempts,
    firstReceived: Number(record.attributes.ApproximateFirstReceiveTimestamp),
    codeVersion: platform().env(ENV.codeVersion) ?? 'unknown',
  };
  await insist(() => park(sqs(), letter));
  // At once, or it would be parked again should a sibling take the function down. AWS deletes it too, in the end.
  const done = new DeleteMessageCommand({ QueueUrl: setting(ENV.queueUrl), ReceiptHandle: record.receiptHandle });
  await insist(() => sqs().send(done)).catch(() => undefined);
  return 'DeadLettered';
}

/** Lets the message come back after so many seconds. Should that fail, it comes when its visibility ends. */
export async function later({ record, held }: Delivery, verdict: Verdict, seconds: number): Promise<Verdict> {
  await held;
  await hide(record, seconds).catch(() => undefined);
  return verdict;
}

/** Hides the message from others for so many seconds from now. */
export async function hide({ receiptHandle }: Pick<SQSRecord, 'receiptHandle'>, seconds: number): Promise<void> {
  const command = new ChangeMessageVisibilityCommand({
    QueueUrl: setting(ENV.queueUrl),
    ReceiptHandle: receiptHandle,
    VisibilityTimeout: seconds,
  });
  await insist(() => sqs().send(command));
}
