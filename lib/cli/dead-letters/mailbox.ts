import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { constructId, JOURNAL, OUTPUT } from '../../module/environment';
import { listenersOf, splitByOutput } from '../deployed';
import type { Pipeline } from '../pipeline';
import { type DeadLetter, readLetter } from './letter';

/** The dead letter queue of one subscription. */
export interface Mailbox {
  readonly module: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  /** It is deployed, and no longer in the project: the next deployment removes it. @default false */
  readonly orphaned?: boolean;
}

/** A letter that is hidden from everybody else until it is released or the hold ends. */
export interface HeldLetter {
  readonly letter: DeadLetter;
  readonly message: Message;
  /** When the hold ends, milliseconds since the epoch. */
  readonly heldUntil: number;
}

/** Seconds a letter stays hidden while it is read: should we be killed, it is back after so long. */
export const HOLD_SECONDS = 60;

export interface Mailboxes {
  readonly boxes: readonly Mailbox[];
  /** Listeners without a mailbox: they aren't deployed yet. */
  readonly missing: readonly string[];
}

/**
 * The mailboxes of everything that listens: modules, and workflows, whose runs are started from a queue too; last
 * those of modules that were deployed and have left the project since.
 */
export function mailboxes(pipeline: Pick<Pipeline, 'output' | 'outputs'>, project: string): Mailboxes {
  // The journal listens to everything, where there is one.
  const journal = pipeline.outputs[OUTPUT.deadLetterQueue(JOURNAL)] === undefined ? [] : [JOURNAL];
  const listeners = [...listenersOf(project), ...journal];
  const { deployed, missing } = splitByOutput(listeners, OUTPUT.deadLetterQueue, pipeline);
  const orphans = orphansOf(pipeline, listeners);
  const boxes = [...deployed, ...orphans].map((name) => ({
    module: name,
    queueUrl: pipeline.output(OUTPUT.queue(name)),
    deadLetterQueueUrl: pipeline.output(OUTPUT.deadLetterQueue(name)),
    ...(orphans.includes(name) && { orphaned: true }),
  }));
  return { boxes, missing };
}

function orphansOf({ outputs }: Pick<Pipeline, 'outputs'>, listeners: readonly string[]): string[] {
  const known = listeners.map(constructId);
  return Object.keys(outputs).flatMap((key) => {
    const id = /^DeadLetterQueue(.+)$/.exec(key)?.[1];
    const alone = id === undefined || known.includes(id) || outputs[`Queue${id}`] === undefined;
    return alone ? [] : [id.replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()];
  });
}

/** Takes up to `limit` letters and hides them for a while. Give them back with {@link release}. */
export async function hold(sqs: SQSClient, mailbox: Mailbox, limit: number): Promise<HeldLetter[]> {
  const held = new Map<string, HeldLetter>();
  while (held.size < limit) {
    const asked = Date.now();
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: mailbox.deadLetterQueueUrl,
        MaxNumberOfMessages: Math.min(10, limit - held.size),
        VisibilityTimeout: HOLD_SECONDS,
        // A short wait asks all of SQS's servers, so that no letter is overlooked.
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['ApproximateReceiveCount'],
      }),
    );
    const before = held.size;
    const heldUntil = asked + HOLD_SECONDS * 1000;
    for (const message of Messages) {
      held.set(message.MessageId ?? '', { letter: readLetter(mailbox.module, message), message, heldUntil });
    }
    if (held.size === before) break;
  }
  return [...held.values()];
}

/** Makes the letters visible again. A letter that can't be returned comes back by itself when its hold ends. */
export async function release(sqs: SQSClient, mailbox: Mailbox, held: readonly HeldLetter[]): Promise<void> {
  // What we no longer hold may be in another's hands.
  await setVisibility(sqs, mailbox, { held: held.filter(isHeld), seconds: 0 });
}

/** Milliseconds of a hold that must be left to send a batch and delete it. */
const ENOUGH_MS = 20_000;

/** Prolongs the holds that end soon. @returns the letters that are still ours */
export async function keepHold(
  sqs: SQSClient,
  mailbox: Mailbox,
  letters: readonly HeldLetter[],
): Promise<HeldLetter[]> {
  const held = letters.filter(isHeld);
  const ending = held.filter(({ heldUntil }) => heldUntil - Date.now() < ENOUGH_MS);
  if (ending.length === 0) return held;
  const heldUntil = Date.now() + HOLD_SECONDS * 1000;
  const prolonged = await setVisibility(sqs, mailbox, { held: ending, seconds: HOLD_SECONDS });
  return held.flatMap((each) => {
    if (!ending.includes(each)) return [each];
    return prolonged.includes(each) ? [{ ...each, heldUntil }] : [];
  });
}

export const isHeld = ({ heldUntil }: HeldLetter) => heldUntil > Date.now();

interface Visibility {
  readonly held: readonly HeldLetter[];
  readonly seconds: number;
}

/** @returns the letters for which it took effect */
async function setVisibility(
  sqs: SQSClient,
  mailbox: Mailbox,
  { held, seconds }: Visibility,
): Promise<readonly HeldLetter[]> {
  const changed: HeldLetter[] = [];
  for (let i = 0; i < held.length; i += 10) {
    const batch = held.slice(i, i + 10);
    const Entries = batch.map(({ message }, n) => ({
      Id: String(n),
      ReceiptHandle: message.ReceiptHandle,
      VisibilityTimeout: seconds,
    }));
    const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: mailbox.deadLetterQueueUrl, Entries });
    const answer = await sqs.send(command).catch(() => undefined);
    const failed = answer === undefined ? undefined : (answer.Failed ?? []).map(({ Id }) => Number(Id));
    changed.push(...batch.filter((_, n) => failed !== undefined && !failed.includes(n)));
  }
  return changed;
}

/** Looks at letters and puts them back, whatever happens. */
export async function peek(sqs: SQSClient, mailbox: Mailbox, limit: number): Promise<DeadLetter[]> {
  if ((await countLetters(sqs, mailbox)).total === 0) return [];
  const held = await hold(sqs, mailbox, limit);
  await release(sqs, mailbox, held);
  return held.map(({ letter }) => letter);
}

export interface LetterCount {
  readonly total: number;
  /** Of them, those somebody is holding just now. */
  readonly hidden: number;
}

/** About how many letters there are; SQS knows it no better. */
export async function countLetters(sqs: SQSClient, { deadLetterQueueUrl }: Mailbox): Promise<LetterCount> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: deadLetterQueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  const hidden = Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0);
  return { total: Number(Attributes.ApproximateNumberOfMessages ?? 0) + hidden, hidden };
}
