import { type Event, HeadraceError } from '../contract';
import { DEFAULT_MAX_HOPS, ENV, type Module, orderKey } from '../module';
import { KEEP_SECONDS } from './ledger';
import { platform } from './platform';

/** Refuses an event at the end of too long a chain. @throws HeadraceError HR309 with the chain's last members */
export function refuseLoop({ hops, correlationId, trail }: Event): void {
  const most = Number(platform().env(ENV.maxHops) ?? DEFAULT_MAX_HOPS);
  if (hops <= most) return;
  throw new HeadraceError('HR309', {
    what: `The event stands at the end of a chain of ${hops} others, which began with ${correlationId}: ${trail ?? 'no trail'}.`,
    allowed: `up to ${most}`,
    next: 'Break the circle in which modules feed each other (npx headrace graph shows it), or raise `maxHops` of the Pipeline.',
  });
}

/** Oldest event that is handled, milliseconds: its record in the ledger, if there is one, is then still kept. */
export const MAX_AGE_MS = (KEEP_SECONDS - 24 * 3600) * 1000;

/**
 * Refuses an event from before what the ledger remembers: it may have been handled.
 *
 * @throws HeadraceError HR310
 */
export function refuseOld({ time }: Pick<Event, 'time'>): void {
  if (platform().now() - Date.parse(time) <= MAX_AGE_MS) return;
  throw new HeadraceError('HR310', {
    what: 'The event is older than what the ledger remembers, so that it can not be told from a duplicate.',
    got: time,
    allowed: `up to ${MAX_AGE_MS / 86_400_000} days old`,
    next: 'Publish it anew if it was never handled; put a date of long ago into the data.',
  });
}

/** Longest key of an item, bytes (DynamoDB quota). */
const MAX_KEY_BYTES = 2_048;

/**
 * Refuses an event that can never get its turn at an ordered module: it has no place, or one that nothing can come before.
 *
 * @throws HeadraceError HR321
 */
export function refuseUnplaced({ name }: Pick<Module, 'name'>, { sequence, type }: Event): void {
  const value = sequence?.value;
  if (!sequence || (typeof value === 'number' && (!Number.isSafeInteger(value) || value < 1))) {
    throw new HeadraceError('HR321', {
      what: `The module is ordered, and this ${type} has no place among the events of its subject.`,
      got: value ?? 'none',
      allowed: '1 for the first event of a subject, 2 for the next, ...',
      next: 'Correct the producer, or send the event with its place: npx headrace dlq edit.',
    });
  }
  const bytes = Buffer.byteLength(orderKey(name, sequence.scope));
  if (bytes <= MAX_KEY_BYTES) return;
  throw new HeadraceError('HR321', {
    what: `The module is ordered, and the subject of this ${type} is too long to keep an order by.`,
    got: `${bytes} bytes with the name of the module`,
    allowed: `up to ${MAX_KEY_BYTES} bytes`,
    next: 'Correct the producer: a subject is a short name.',
  });
}
