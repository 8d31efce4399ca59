import { journalHour } from '../runtime/journal';
import type { ReadableStore } from '../runtime/store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From the first instant on, up to the second and without it. */
export interface Window {
  readonly from: Date;
  readonly to: Date;
}

/** The pages of one hour. */
export interface HourOfPages {
  /** End of the hour, milliseconds since the epoch. */
  readonly end: number;
  readonly keys: readonly string[];
}

/** The hours of a window that have pages, in order. A whole day is listed at once. */
export async function* hoursIn(store: Pick<ReadableStore, 'list'>, { from, to }: Window): AsyncGenerator<HourOfPages> {
  const end = to.getTime();
  let at = Math.floor(from.getTime() / HOUR_MS) * HOUR_MS;
  while (at < end) {
    const wholeDay = at % DAY_MS === 0 && at + DAY_MS <= end;
    const hour = journalHour(new Date(at));
    const prefix = wholeDay ? dayOf(hour) : hour;
    yield* byHour(await store.list(prefix));
    at += wholeDay ? DAY_MS : HOUR_MS;
  }
}

/** `events/2026/01/02/15/` is of the day `events/2026/01/02/`. */
const dayOf = (hour: string) => hour.split('/').slice(0, 4).join('/').concat('/');

/** When the hour of `events/2026/01/02/15/` is over. */
function endOf(hour: string): number {
  const [, year, month, day, clock] = hour.split('/');
  return Date.parse(`${year}-${month}-${day}T${clock}:00Z`) + HOUR_MS;
}

function byHour(keys: readonly string[]): HourOfPages[] {
  const hours = new Map<string, string[]>();
  for (const key of keys) {
    const hour = key.slice(0, key.lastIndexOf('/') + 1);
    const those = hours.get(hour) ?? [];
    those.push(key);
    hours.set(hour, those);
  }
  return [...hours].sort(([a], [b]) => (a < b ? -1 : 1)).map(([hour, those]) => ({ end: endOf(hour), keys: those }));
}

/** Pages that arrived before `until`, the newest first, day by day, for at most so many days. */
export async function* newestPages(
  store: Pick<ReadableStore, 'list'>,
  { until, days }: { readonly until: Date; readonly days: number },
): AsyncGenerator<string> {
  for (let day = 0; day < days; day++) {
    const keys = await store.list(dayOf(journalHour(new Date(until.getTime() - day * DAY_MS))));
    yield* [...keys].sort().reverse();
  }
}
