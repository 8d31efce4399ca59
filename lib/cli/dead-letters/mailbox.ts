import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { OUTPUT } from '../../module/environment';
import { listenersOf, splitByOutput } from '../deployed';
import type { Pipeline } from '../pipeline';
import { type DeadLetter, readLetter } from './letter';

/** The dead letter queue of one subscription. */
export interface Mailbox {
  readonly module: string;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
}

/** A letter that is hidden from everybody else until it is released or the hold ends. */
export interface HeldLetter {
  readonly letter: DeadLetter;
  readonly message: Message;
}

/** Seconds a letter stays hidden while it is read: should we be killed, it is back after so long. */
const HOLD_SECONDS = 60;

export interface Mailboxes {
  readonly boxes: readonly Mailbox[];
  /** Listeners without a mailbox: they aren't deployed yet. */
  readonly missing: readonly string[];
}

/** The mailboxes of everything that listens: modules, and workflows, whose runs are started from a queue too. */
export function mailboxes(pipeline: Pick<Pipeline, 'output' | 'outputs'>, project: string): Mailboxes {
  const { deployed, missing } = splitByOutput(listenersOf(project), OUTPUT.deadLetterQueue, pipeline);
  const boxes = deployed.map((name) => ({
    module: name,
    queueUrl: pipeline.output(OUTPUT.queue(name)),
    deadLetterQueueUrl: pipeline.output(OUTPUT.deadLetterQueue(name)),
  }));
  return { boxes, missing };
}

/** Takes up to `limit` letters and hides them for a while. Give them back with {@link release}. */
export async function hold(sqs: SQSClient, mailbox: Mailbox, limit: number): Promise<HeldLetter[]> {
  const held = new Map<string, HeldLetter>();
  while (held.size < limit) {
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
    for (const message of Messages) {
      held.set(message.MessageId ?? '', { letter: readLetter(mailbox.module, message), message });
    }
    if (held.size === before) break;
  }
  return [...held.values()];
}

/** Makes the letters visible again. A letter that can't be returned comes back by itself when its hold ends. */
export async function release(sqs: SQSClient, mailbox: Mailbox, held: readonly HeldLetter[]): Promise<void> {
  for (let i = 0; i < held.length; i += 10) {
    const Entries = held.slice(i, i + 10).map(({ message }, n) => ({
      Id: String(n),
      ReceiptHandle: message.ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: mailbox.deadLetterQueueUrl, Entries });
    await sqs.send(command).catch(() => undefined);
  }
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
