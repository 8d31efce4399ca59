import { HeadraceError } from '../../contract/errors';
import type { Window } from '../../journal';
import { MAX_AGE_MS } from '../../runtime/refuse';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** An instant on the command line: ISO 8601, or so long ago: `30m`, `2h`, `3d`. @throws HeadraceError HR501 */
export function instant(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const at = new Date(count === undefined ? text : now.getTime() - Number(count) * (UNIT_MS[unit] ?? 0));
  if ((count !== undefined || /^\d{4}-\d\d-\d\d/.test(text)) && !Number.isNaN(at.getTime())) return at;
  throw new HeadraceError('HR501', {
    what: 'This is no time.',
    got: text,
    allowed: 'ISO 8601 such as 2026-01-31T08:00Z, or so long ago: 30m, 2h, 3d',
    next: 'npx headrace replay --help',
  });
}

/**
 * The window of a replay; it ends now unless `to` says otherwise.
 *
 * @throws HeadraceError HR501 when it is none, HR520 when it begins before what the ledger remembers
 */
export function windowOf(
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
  now: Date,
): Window {
  if (from === undefined) {
    throw new HeadraceError('HR501', {
      what: 'From when on shall be replayed?',
      allowed: '--from 2h, --from 2026-01-31T08:00Z',
      next: 'Add --from, and --to if it shall not be until now; --dry-run shows what that would be.',
    });
  }
  const window = { from: instant(from, now), to: to === undefined ? now : instant(to, now) };
  if (window.from >= window.to) {
    throw new HeadraceError('HR501', {
      what: 'The window of the replay ends before it begins.',
      got: `${window.from.toISOString()} to ${window.to.toISOString()}`,
      next: 'Give --from an earlier time than --to.',
    });
  }
  if (now.getTime() - window.from.getTime() > MAX_AGE_MS) {
    throw new HeadraceError('HR520', {
      what: 'The window of the replay begins before what the ledger remembers.',
      got: window.from.toISOString(),
      allowed: `from ${new Date(now.getTime() - MAX_AGE_MS).toISOString()} on (${MAX_AGE_MS / 86_400_000} days)`,
      next: 'Begin later. Older events lie in the store of the journal; publish them anew if they must be handled.',
    });
  }
  return window;
}
