import { type Event, HeadraceError } from '../contract';
import { DEFAULT_MAX_HOPS, ENV } from '../module';
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
