import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SeenEvent } from '../stage';
import { removeEar, renewEar, setUpEar, sweepEars } from './ear';
import { readBusEvent } from './read-bus-event';

/** A rule of the account's default bus: S3 uploads reach a pipeline there. */
export interface DefaultBusRule {
  readonly pattern: object;
}

/** What to listen to. */
export interface TailSource {
  /** Name of the pipeline's bus. */
  readonly name: string;
  readonly eventbridge: EventBridgeClient;
  readonly sqs: SQSClient;
  /** EventBridge pattern. @default - every event */
  readonly pattern?: object;
  /** @default - nothing but the pipeline's own bus */
  readonly defaultBus?: readonly DefaultBusRule[];
  /** Told once the tail hears. */
  readonly onReady?: () => void;
}

/** Matches every event: each has a source. */
const EVERYTHING = { source: [{ prefix: '' }] };
/** Receivers at once while messages come in full batches. */
const BUSY_RECEIVERS = 4;
const FULL_BATCH = 10;
/** Ids kept to drop what the queue delivers twice. */
const REMEMBERED = 10_000;
const RENEW_EVERY_MS = 10 * 60_000;

/**
 * Listens to a bus through a rule and a queue of its own, which it removes when `signal` is aborted. Events come in the
 * order of their time as far as the queue allows; each comes once.
 *
 * @returns when everything is removed
 */
export async function tail(
  source: TailSource,
  onEvent: (event: SeenEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { sqs, onReady } = source;
  await sweepEars(source).catch(() => undefined);
  const ear = await setUpEar({ ...source, pattern: source.pattern ?? EVERYTHING });
  const renewal = setInterval(() => void renewEar(sqs, ear).catch(() => undefined), RENEW_EVERY_MS);
  try {
    if (!signal.aborted) onReady?.();
    await listen({ sqs, queueUrl: ear.queueUrl, onEvent, signal });
  } finally {
    clearInterval(renewal);
    await removeEar(source, ear);
  }
}

interface Listening {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly onEvent: (event: SeenEvent) => void;
  readonly signal: AbortSignal;
}

async function listen({ sqs, queueUrl, onEvent, signal }: Listening): Promise<void> {
  const seen = new Set<string>();
  let busy = false;
  while (!signal.aborted) {
    const receivers = busy ? BUSY_RECEIVERS : 1;
    const waitSeconds = busy ? 0 : 20;
    const batches: Message[][] = await Promise.all(
      Array.from({ length: receivers }, () => receive({ sqs, queueUrl, signal, waitSeconds })),
    );
    busy = batches.some((batch) => batch.length === FULL_BATCH);
    const fresh = batches.flat().flatMap(({ Body = '' }) => readBusEvent(Body) ?? []);
    fresh.sort((a, b) => a.time.localeCompare(b.time) || a.hops - b.hops);
    for (const event of fresh) {
      if (!seen.has(event.id) && !signal.aborted) onEvent(event);
      seen.add(event.id);
    }
    forgetOldest(seen);
  }
}

function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= REMEMBERED) return;
    seen.delete(id);
  }
}

interface Receiving extends Omit<Listening, 'onEvent'> {
  readonly waitSeconds: number;
}

/** One batch, deleted from the queue in the background: a repeat is dropped by its id. */
async function receive({ sqs, queueUrl, signal, waitSeconds }: Receiving): Promise<Message[]> {
  try {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: waitSeconds }),
      { abortSignal: signal },
    );
    if (Messages.length > 0) void remove(sqs, queueUrl, Messages).catch(() => undefined);
    return Messages;
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}

async function remove(sqs: SQSClient, queueUrl: string, messages: readonly Message[]): Promise<void> {
  const Entries = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
}
