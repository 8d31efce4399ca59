import { HeadraceError, openEvent } from '../../contract';
import type { JournalEntry } from '../../journal';
import { MAX_AGE_MS, refuseUnplaced } from '../../runtime/refuse';
import type { Subscriber } from './subscribers';

/** One event for one subscriber. */
export interface Delivery {
  readonly subscriber: Subscriber;
  readonly entry: JournalEntry;
  /** What goes one by one and in order: the subscriber and the subject. */
  readonly lane: string;
  /** Key of its record in the ledger when it is handled for the first time. */
  readonly key: string;
  /** Code of the error by which the subscriber would refuse it; undefined when it takes it. */
  readonly refusal: string | undefined;
}

/** The deliveries of one event: one for each subscriber that hears it. */
export function deliveriesOf(entry: JournalEntry, subscribers: readonly Subscriber[], now: Date): Delivery[] {
  return subscribers
    .filter((subscriber) => subscriber.hears(entry.event))
    .map((subscriber) => ({
      subscriber,
      entry,
      lane: `${subscriber.name}\n${entry.subject}`,
      key: `${subscriber.name}#${entry.id}`,
      refusal: refusalOf(entry, subscriber, now),
    }));
}

function refusalOf({ event, time }: JournalEntry, { module }: Subscriber, now: Date): string | undefined {
  if (now.getTime() - Date.parse(time) > MAX_AGE_MS) return 'HR310';
  try {
    const opened = openEvent(
      event,
      module.on.map(({ listenable }) => listenable),
    );
    if (module.ordered) refuseUnplaced(module, opened);
    return undefined;
  } catch (error) {
    if (error instanceof HeadraceError) return error.code;
    throw error;
  }
}

/** The key under which a delivery is handled once more, once for each replay of that name. */
export const againKey = ({ key }: Pick<Delivery, 'key'>, name: string): string => `${key}@${name}`;
