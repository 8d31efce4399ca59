import type { Module } from '../../module';
import type { Waiting } from './lanes';
import type { LedgerState } from './ledger-states';

/** How a delivery ended: `parked` is in the dead letter queue; `unfinished` took longer than all its attempts may. */
export type Ending = 'handled' | 'parked' | 'unfinished';

/** A delivery that was sent. Times are in milliseconds since the epoch. */
export interface InFlight extends Waiting {
  readonly sentAt: number;
  /** Last change of its record that was seen. */
  changedAt: number;
  seen: LedgerState;
}

type Timing = Pick<Module, 'retry' | 'timeoutSeconds'>;

/** How long a message may wait behind others in the queue, seconds. */
const QUEUE_SECONDS = 600;

/** How long a delivery may take in the queue, with all its attempts and all the waits between them, milliseconds. */
export function patienceWith({ retry, timeoutSeconds }: Timing): number {
  let seconds = QUEUE_SECONDS + retry.attempts * timeoutSeconds;
  for (let i = 0; i < retry.attempts; i++) {
    seconds += Math.min(retry.firstDelaySeconds * retry.factor ** i, retry.maxDelaySeconds);
  }
  return seconds * 1000;
}

/** What has become of a delivery; undefined while it is still under way. Notes changes of its record. */
export function endingOf(flight: InFlight, state: LedgerState, now: number): Ending | undefined {
  if (state.done) return 'handled';
  const { seen } = flight;
  if (state.parked && state.fence > flight.fence) return 'parked';
  if (state.fence !== seen.fence) {
    flight.seen = state;
    flight.changedAt = now;
  }
  const { module } = flight.delivery.subscriber;
  const standing = now - flight.changedAt;
  return standing >= patienceWith(module) ? 'unfinished' : undefined;
}
