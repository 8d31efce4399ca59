import { setTimeout as sleep } from 'node:timers/promises';
import { ListEventSourceMappingsCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Lab } from './lab';

const WAITING = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** Messages in a queue: waiting, in hand, or hidden until later. */
export async function messagesIn(lab: Lab, url: string): Promise<number> {
  const { Attributes = {} } = await lab.pipeline.clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...WAITING] }),
  );
  return WAITING.reduce((sum, kind) => sum + Number(Attributes[kind] ?? 0), 0);
}

export interface Patience {
  readonly timeoutSeconds: number;
  readonly log: (line: string) => void;
}

/** Waits until the queues are empty and stay so for a second. @returns when they first were, ms; undefined if not in time */
export async function untilEmpty(
  lab: Lab,
  urls: readonly string[],
  { timeoutSeconds, log }: Patience,
): Promise<number | undefined> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  let told = Date.now();
  let since: number | undefined;
  while (since === undefined || Date.now() - since < 1000) {
    const left = await Promise.all(urls.map((url) => messagesIn(lab, url)));
    since = left.some((count) => count > 0) ? undefined : (since ?? Date.now());
    if (Date.now() > deadline) return undefined;
    if (Date.now() - told > 15_000) {
      log(`still in the queues: ${left.join(', ')}`);
      told = Date.now();
    }
    await sleep(250);
  }
  return since;
}

/** Takes everything out of a queue. */
export async function takeAll(lab: Lab, url: string): Promise<Message[]> {
  const { sqs } = lab.pipeline.clients;
  const all: Message[] = [];
  for (;;) {
    const request = { QueueUrl: url, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(request));
    if (Messages.length === 0) return all;
    all.push(...Messages);
    const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle: ReceiptHandle ?? '' }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
  }
}

/** Lets a function take messages from its queue, or stops it. */
export async function setTaking(lab: Lab, functionName: string, Enabled: boolean): Promise<void> {
  const { lambda } = lab.pipeline.clients;
  const request = new ListEventSourceMappingsCommand({ FunctionName: functionName });
  const { EventSourceMappings = [] } = await lambda.send(request);
  for (const { UUID } of EventSourceMappings) await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
}
