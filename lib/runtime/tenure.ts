import { ChangeMessageVisibilityBatchCommand } from '@aws-sdk/client-sqs';
import type { Context as LambdaContext, SQSRecord } from 'aws-lambda';
import { ENV, type Module } from '../module';
import { sqs } from './clients';
import type { Lease } from './lease';
import { isLostLease, type Ledger } from './ledger';
import { platform } from './platform';
import { setting } from './setting';

/** Milliseconds a lease outlives its invocation. */
const LEASE_MARGIN_MS = 1_000;
/** Milliseconds a message stays hidden after its lease: who comes back finds the lease over. */
const HIDE_MARGIN_MS = 1_000;
/** Heartbeats that may be missed before the work counts as abandoned. */
const MISSED_BEATS = 3;
/** Milliseconds before the end of an invocation at which the signal fires: time to save and answer. */
const SIGNAL_MARGIN_MS = 2_000;

/** How long somebody who takes work now may hold it: until a few heartbeats are missed, or the invocation ends. */
export function leaseMs({ heartbeatSeconds }: Pick<Module, 'heartbeatSeconds'>, lambda: LambdaContext): number {
  const whole = lambda.getRemainingTimeInMillis() + LEASE_MARGIN_MS;
  return heartbeatSeconds === undefined ? whole : Math.min(whole, heartbeatSeconds * MISSED_BEATS * 1000);
}

/** Seconds for which a message in hand is hidden from others. */
const hiddenSeconds = (lease: number) => Math.ceil((lease + HIDE_MARGIN_MS) / 1000);

/**
 * Hides the messages of a batch for as long as their leases run, in place of the queue's visibility timeout, which is
 * six times as long: after a crash they are back that much sooner. Should it fail, they come back later.
 */
export async function holdBatch(records: readonly SQSRecord[], module: Module, lambda: LambdaContext): Promise<void> {
  const VisibilityTimeout = hiddenSeconds(leaseMs(module, lambda));
  const Entries = records.map(({ receiptHandle }, i) => ({
    Id: String(i),
    ReceiptHandle: receiptHandle,
    VisibilityTimeout,
  }));
  const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: setting(ENV.queueUrl), Entries });
  await sqs()
    .send(command)
    .catch(() => undefined);
}

/** While somebody works. */
export interface Tenure {
  /** Aborted when another worker took over, and shortly before the invocation is ended. */
  readonly signal: AbortSignal;
  /** To be called when the work is over, whatever came of it. */
  end(): void;
}

/** The end of an invocation, foreseen. */
export function tenureUntilEnd(lambda: LambdaContext): Tenure {
  const over = new AbortController();
  const alarm = new AbortController();
  const left = Math.max(1, lambda.getRemainingTimeInMillis() - SIGNAL_MARGIN_MS);
  void platform()
    .sleep(left, over.signal)
    .then(
      () => alarm.abort(new Error('the invocation is about to end')),
      () => undefined,
    );
  return { signal: alarm.signal, end: () => over.abort() };
}

export interface Kept {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly module: Pick<Module, 'heartbeatSeconds'>;
  readonly lambda: LambdaContext;
  /** Hides the message for so many seconds from now. */
  readonly hide: (seconds: number) => Promise<void>;
}

/** Keeps lease and message as long as the work goes on, where the module has a heartbeat. */
export function keep(kept: Kept): Tenure {
  const { module, lambda } = kept;
  const { heartbeatSeconds } = module;
  const whole = tenureUntilEnd(lambda);
  if (heartbeatSeconds === undefined) return whole;
  const over = new AbortController();
  const fenced = new AbortController();
  void beat(kept, heartbeatSeconds, over.signal).catch((error: unknown) => fenced.abort(error));
  return {
    signal: AbortSignal.any([whole.signal, fenced.signal]),
    end() {
      over.abort();
      whole.end();
    },
  };
}

/** @throws HeadraceError HR305 when another worker took over */
async function beat({ ledger, lease, module, lambda, hide }: Kept, seconds: number, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await platform()
      .sleep(seconds * 1000, over)
      .catch(() => undefined);
    if (over.aborted) return;
    const ms = leaseMs(module, lambda);
    try {
      await ledger.renew(lease, ms);
      await hide(hiddenSeconds(ms));
    } catch (error) {
      // Anything but a lost lease may pass: the next beat tries again before the lease is over.
      if (isLostLease(error) && !over.aborted) throw error;
    }
  }
}
