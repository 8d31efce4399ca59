import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type AnyEvent, HeadraceError, violations } from '../contract';
import { fitsWildcard } from '../module/match';
import type { ReadableStore } from '../runtime/store';
import { type AwsNames, type JournalEntry, readLine } from './entry';
import { inOrder } from './in-order';
import { hoursIn, newestPages, type Window } from './window';

const unpacked = promisify(gunzip);

/** How far the order reaches from one hour into the next, milliseconds: longer than a bus delays an event. */
const OVERLAP_MS = 60_000;

/** Which events are wanted: those that arrived in the window, and of them those that fit. `*` stands for any text. */
export interface JournalFilter extends Window {
  readonly type?: string | undefined;
  readonly subject?: string | undefined;
  readonly correlation?: string | undefined;
}

export interface JournalOptions {
  /** Pages read at once. @default 8 */
  readonly concurrency?: number;
  /** AWS events the project declares, so that they are found by the names it gives them. @default - uploads only */
  readonly awsEvents?: AwsNames;
  /** Told of each line that is no event. @default - they are passed over */
  readonly onUnreadable?: (line: string) => void;
}

export interface LastGood {
  readonly contract: AnyEvent;
  /** Id of an event that does not count: the one in question. */
  readonly except?: string;
  /** @default - now */
  readonly until?: Date;
  /** How far to look back, days. @default 30 */
  readonly days?: number;
}

/** Reads what the journal's function wrote. */
export class Journal {
  readonly #store: Pick<ReadableStore, 'list' | 'get' | 'uri'>;
  readonly #options: JournalOptions;

  constructor(store: Pick<ReadableStore, 'list' | 'get' | 'uri'>, options: JournalOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * The events of a window, each once, by the time they happened. In memory is one hour of them: the order is right
   * within the hour they arrived in and {@link OVERLAP_MS} around it; what came later than that comes late.
   *
   * @throws HeadraceError HR525 when a page cannot be read
   */
  async *events(filter: JournalFilter): AsyncGenerator<JournalEntry> {
    let before: ReadonlySet<string> = new Set();
    let kept: JournalEntry[] = [];
    for await (const { end, keys } of hoursIn(this.#store, filter)) {
      const found = await this.#hour(keys, before, filter);
      before = new Set(found.map(({ id }) => id));
      const sorted = [...kept, ...found].sort(byTime);
      const ripe = sorted.findIndex(({ time }) => Date.parse(time) >= end - OVERLAP_MS);
      kept = ripe === -1 ? [] : sorted.splice(ripe);
      yield* sorted;
    }
    yield* kept;
  }

  async #hour(keys: readonly string[], before: ReadonlySet<string>, filter: JournalFilter): Promise<JournalEntry[]> {
    const found = new Map<string, JournalEntry>();
    for await (const entries of this.#pages(keys)) {
      for (const entry of entries) {
        if (!found.has(entry.id) && !before.has(entry.id) && isWanted(entry, filter)) found.set(entry.id, entry);
      }
    }
    return [...found.values()];
  }

  /** The newest event of a contract whose data fits it; undefined when there is none within the days. */
  async lastGoodEvent({
    contract,
    except,
    until = new Date(),
    days = 30,
  }: LastGood): Promise<JournalEntry | undefined> {
    const isGood = ({ id, event }: JournalEntry) => {
      const { dataschema, data } = event.detail as { dataschema?: unknown; data?: unknown };
      return id !== except && dataschema === contract.dataschema && violations(contract, data).length === 0;
    };
    for await (const entries of this.#pages(newestPages(this.#store, { until, days }))) {
      const newest = entries
        .filter((entry) => entry.type === contract.type && isGood(entry))
        .sort(byTime)
        .at(-1);
      if (newest) return newest;
    }
    return undefined;
  }

  #pages(keys: Iterable<string> | AsyncIterable<string>): AsyncGenerator<JournalEntry[]> {
    return inOrder(keys, this.#options.concurrency ?? 8, (key) => this.#read(key));
  }

  async #read(key: string): Promise<JournalEntry[]> {
    const bytes = await this.#store.get(key);
    try {
      const lines = (await unpacked(bytes)).toString('utf8').split('\n');
      return lines.filter((line) => line !== '').flatMap((line) => this.#entry(line));
    } catch (cause) {
      throw new HeadraceError('HR525', {
        what: `A page of the journal cannot be read: ${(cause as Error).message}.`,
        got: this.#store.uri(key),
        next: 'An earlier version of the object may be whole (the bucket keeps them for 90 days); restore it, or delete the object to go on without it.',
        cause,
      });
    }
  }

  #entry(line: string): JournalEntry[] {
    const entry = readLine(line, this.#options.awsEvents);
    if (entry) return [entry];
    this.#options.onUnreadable?.(line);
    return [];
  }
}

/** Ties are broken by arrival, then by id: the order is the same each time. */
function byTime(a: JournalEntry, b: JournalEntry): number {
  const difference = Date.parse(a.time) - Date.parse(b.time) || Date.parse(a.received) - Date.parse(b.received);
  return difference || (a.id < b.id ? -1 : 1);
}

function isWanted(entry: JournalEntry, filter: JournalFilter): boolean {
  const received = Date.parse(entry.received);
  if (received < filter.from.getTime() || received >= filter.to.getTime()) return false;
  return (
    isLike(entry.type, filter.type) &&
    isLike(entry.subject, filter.subject) &&
    isLike(entry.correlationId, filter.correlation)
  );
}

const isLike = (text: string, wanted: string | undefined): boolean =>
  wanted === undefined || fitsWildcard(text, wanted);
