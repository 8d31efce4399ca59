import { HeadraceError } from '../contract';
import { LIMITS } from '../contract/limits';
import type { Module } from './module';
import type { Retry } from './settings';

/** Settings of a subscription's queues. All are derived from the module; see {@link queueSettings}. */
export interface QueueSettings {
  /** How long a received message stays hidden. @default - 6 x timeoutSeconds */
  readonly visibilitySeconds: number;
  /** How long a message may wait in the queue. @default - 4 days */
  readonly retentionSeconds: number;
  /** How long a dead letter is kept. @default - 14 days */
  readonly deadLetterRetentionSeconds: number;
  /**
   * Receives after which SQS itself moves a message to the dead letter queue.
   *
   * @default - attempts of a whole batch + 3, and the looks at work that goes on by heartbeats, at most 1000; 1000 for an
   * ordered module
   */
  readonly maxReceiveCount: number;
}

/**
 * Receives on top of the attempts of a batch. The function parks a message itself, with the reason, after its last
 * attempt. SQS's own redrive only catches what kills the function before it gets so far, and it must not be first: a
 * message is received with every attempt of each sibling that takes the function down with it, when the invocation was
 * throttled, and when another worker held the lease.
 */
export const RECEIVE_MARGIN = 3;

const MAX_RECEIVES = LIMITS.receives.value;
const MAX_VISIBILITY = LIMITS.visibilitySeconds.value;
const MAX_RETENTION = LIMITS.retentionSeconds.value;
const MAX_BATCH = LIMITS.messageEntries.value;
const MAX_CONCURRENCY = LIMITS.eventSourceConcurrency.value;

const DAY = 24 * 3600;

type Row = readonly [holds: boolean, message: string];

/**
 * The queue settings of a module, with `overrides` in place of the derived ones.
 *
 * @throws HeadraceError HR601 listing every setting that would lose or repeat messages
 */
export function queueSettings(module: Module, overrides: Partial<QueueSettings> = {}): QueueSettings {
  const settings: QueueSettings = {
    visibilitySeconds: 6 * module.timeoutSeconds,
    retentionSeconds: 4 * DAY,
    deadLetterRetentionSeconds: MAX_RETENTION,
    maxReceiveCount: receivesOf(module),
    ...overrides,
  };
  const broken = rows(module, settings).filter(([holds]) => !holds);
  if (broken.length > 0) {
    throw new HeadraceError('HR601', {
      what: `The queues of ${module.name} are set wrongly: ${broken.map(([, message]) => message).join('; ')}.`,
      next: `Correct lambdas/${module.name}/module.ts, or the \`queues\` of the Pipeline.`,
    });
  }
  return settings;
}

function receivesOf({ ordered, retry, batchSize, heartbeatSeconds, timeoutSeconds }: Module): number {
  // Where events wait for their turn, every look is a receive.
  if (ordered) return MAX_RECEIVES;
  // A lease of heartbeats is short, and a duplicate looks at each end of it whether the work is still going on.
  const looks = heartbeatSeconds === undefined ? 0 : Math.ceil(timeoutSeconds / (2 * heartbeatSeconds));
  return Math.min(retry.attempts * batchSize + RECEIVE_MARGIN + looks, MAX_RECEIVES);
}

function rows(module: Module, settings: QueueSettings): readonly Row[] {
  const { visibilitySeconds, retentionSeconds, deadLetterRetentionSeconds, maxReceiveCount } = settings;
  const { timeoutSeconds, retry, batchSize, concurrency } = module;
  const longest = longestWork(retry, timeoutSeconds);
  return [
    [
      visibilitySeconds >= 6 * timeoutSeconds,
      `visibilitySeconds must be at least 6 x timeoutSeconds (${6 * timeoutSeconds}), got ${visibilitySeconds}: a message would come again while it is being handled`,
    ],
    [
      visibilitySeconds <= MAX_VISIBILITY,
      `visibilitySeconds must be at most ${MAX_VISIBILITY} (12 h), got ${visibilitySeconds}`,
    ],
    [
      within(retentionSeconds, 60, MAX_RETENTION),
      `retentionSeconds must be from 60 to ${MAX_RETENTION} (14 days), got ${retentionSeconds}`,
    ],
    [
      within(deadLetterRetentionSeconds, 60, MAX_RETENTION),
      `deadLetterRetentionSeconds must be from 60 to ${MAX_RETENTION} (14 days), got ${deadLetterRetentionSeconds}`,
    ],
    [
      deadLetterRetentionSeconds > retentionSeconds,
      `deadLetterRetentionSeconds must be longer than retentionSeconds (${retentionSeconds}), got ${deadLetterRetentionSeconds}: SQS counts the age of a dead letter from when it was first sent`,
    ],
    [
      within(maxReceiveCount, retry.attempts + 1, MAX_RECEIVES),
      `maxReceiveCount must be from retry.attempts + 1 (${retry.attempts + 1}) to ${MAX_RECEIVES}, got ${maxReceiveCount}: SQS would take a message away before its last attempt`,
    ],
    [
      longest <= retentionSeconds,
      `retentionSeconds must cover all attempts with their waits (${longest}), got ${retentionSeconds}: a message would vanish between two attempts`,
    ],
    [within(batchSize, 1, MAX_BATCH), `batchSize must be from 1 to ${MAX_BATCH}, got ${batchSize}`],
    [within(concurrency, 2, MAX_CONCURRENCY), `concurrency must be from 2 to ${MAX_CONCURRENCY}, got ${concurrency}`],
  ];
}

const within = (value: number, from: number, to: number) => value >= from && value <= to;

/** Seconds from the first receive to the end of the last attempt, when every wait is as long as it may be. */
function longestWork(retry: Retry, timeoutSeconds: number): number {
  let total = timeoutSeconds;
  for (let attempt = 1; attempt < retry.attempts; attempt++) {
    const wait = Math.min(retry.firstDelaySeconds * retry.factor ** (attempt - 1), retry.maxDelaySeconds);
    total += wait + timeoutSeconds;
  }
  return Math.ceil(total);
}
