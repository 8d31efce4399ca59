import { setTimeout as realSleep } from 'node:timers/promises';
import { HeadraceError } from '../../contract';
import { againKey, type Delivery, deliveriesOf } from './deliveries';
import { type Ending, endingOf, type InFlight, patienceWith } from './in-flight';
import { Lanes } from './lanes';
import type { LedgerState } from './ledger-states';
import { CHUNK, type Replay, type Sources } from './plan';
import type { Send } from './send';

/** Deliveries under way at once. */
const IN_FLIGHT = 200;
/** Deliveries read ahead of their turn: more would be memory, fewer would let one busy subject hold up the others. */
const READ_AHEAD = 5_000;
/** Pause between two looks into the ledger, milliseconds. */
const PAUSE_MS = 250;

export interface RunOptions extends Sources {
  readonly replay: Replay;
  readonly send: Send;
  /** Deliveries a second. @default - as fast as they are handled */
  readonly rate?: number | undefined;
  /** Ends the run between two deliveries. */
  readonly signal: AbortSignal;
  readonly onProgress?: (tally: Tally) => void;
  /** @default - real time */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** What has become of the deliveries of one subscriber so far. */
export interface Tally extends Readonly<Record<Ending, number>> {
  readonly sent: number;
  /** Done before their turn came: by an earlier run, or by somebody else. */
  readonly skipped: number;
}

export interface Ended {
  readonly total: Tally;
  /** By subscriber. */
  readonly subscribers: Readonly<Record<string, Tally>>;
  readonly interrupted: boolean;
  /** Sent, and not yet known to be handled, when the run was interrupted. */
  readonly underWay: number;
}

/** Runs a replay. @throws HeadraceError HR524 when nothing is finished for as long as all attempts may take */
export function runReplay(options: RunOptions): Promise<Ended> {
  return new Run(options).run();
}

type Counts = { -readonly [K in keyof Tally]: Tally[K] };

const zero = (): Counts => ({ sent: 0, handled: 0, parked: 0, unfinished: 0, skipped: 0 });

class Run {
  readonly #options: RunOptions;
  readonly #source: AsyncIterator<readonly Delivery[]>;
  readonly #lanes = new Lanes();
  readonly #flights = new Map<string, InFlight>();
  readonly #tallies: Record<string, Counts>;
  #read = false;
  #budget: number;
  #budgetAt: number;
  #progressAt: number;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#source = chunksOf(options)[Symbol.asyncIterator]();
    this.#tallies = Object.fromEntries(options.replay.subscribers.map(({ name }) => [name, zero()]));
    this.#budget = 1;
    this.#budgetAt = this.#now();
    this.#progressAt = this.#now();
  }

  async run(): Promise<Ended> {
    const { signal, sleep = realSleep, onProgress } = this.#options;
    while (!signal.aborted) {
      await this.#readAhead();
      await this.#sendDue();
      const settled = await this.#settle();
      onProgress?.(this.#total());
      if (this.#read && this.#lanes.size === 0) break;
      this.#refuseStandstill();
      await sleep(settled === 0 ? PAUSE_MS : PAUSE_MS / 5);
    }
    await this.#source.return?.();
    const interrupted = signal.aborted && !(this.#read && this.#lanes.size === 0);
    return { total: this.#total(), subscribers: this.#tallies, interrupted, underWay: this.#flights.size };
  }

  /** Reads on until there is enough to send, so that the first deliveries go out while the rest is read. */
  async #readAhead(): Promise<void> {
    const { replay, states, signal } = this.#options;
    const keyOf = (each: Delivery) => (replay.again ? againKey(each, replay.name) : each.key);
    while (!this.#read && this.#lanes.size < READ_AHEAD && !signal.aborted) {
      const { value, done } = await this.#source.next();
      if (done) {
        this.#read = true;
        return;
      }
      const stateOf = await states(value.map(keyOf));
      for (const delivery of value) this.#sort(delivery, keyOf(delivery), stateOf(keyOf(delivery)));
      if (this.#flights.size < IN_FLIGHT) return;
    }
  }

  #sort(delivery: Delivery, key: string, { done, fence }: LedgerState): void {
    if (delivery.refusal) return;
    if (done) this.#of(delivery).skipped++;
    else this.#lanes.put({ delivery, key, fence });
  }

  async #sendDue(): Promise<void> {
    const due = this.#lanes.take(Math.min(IN_FLIGHT - this.#flights.size, this.#allowed()));
    if (due.length === 0) return;
    await this.#options.send(due.map(({ delivery }) => delivery));
    const now = this.#now();
    if (this.#flights.size === 0) this.#progressAt = now;
    for (const each of due) {
      const seen = { done: false, fence: each.fence, parked: false };
      const flight: InFlight = { ...each, sentAt: now, changedAt: now, seen };
      this.#flights.set(each.key, flight);
      this.#of(each.delivery).sent++;
    }
    this.#budget -= due.length;
  }

  /** How many deliveries the rate allows just now. */
  #allowed(): number {
    const { rate } = this.#options;
    if (rate === undefined) return IN_FLIGHT;
    const now = this.#now();
    const most = Math.max(1, (rate * PAUSE_MS) / 1000);
    this.#budget = Math.min(most, this.#budget + ((now - this.#budgetAt) / 1000) * rate);
    this.#budgetAt = now;
    return Math.floor(this.#budget);
  }

  /** @returns how many deliveries have ended */
  async #settle(): Promise<number> {
    if (this.#flights.size === 0) return 0;
    const stateOf = await this.#options.states([...this.#flights.keys()]);
    const now = this.#now();
    let settled = 0;
    for (const [key, flight] of this.#flights) {
      const ending = endingOf(flight, stateOf(key), now);
      if (flight.changedAt === now || (ending && ending !== 'unfinished')) this.#progressAt = now;
      if (!ending) continue;
      this.#of(flight.delivery)[ending]++;
      this.#flights.delete(key);
      this.#lanes.leave(flight);
      settled++;
    }
    return settled;
  }

  #refuseStandstill(): void {
    const longest = Math.max(...this.#options.replay.subscribers.map(({ module }) => patienceWith(module)));
    if (this.#total().unfinished === 0 || this.#now() - this.#progressAt < longest) return;
    const stuck = Object.entries(this.#tallies).filter(([, { unfinished }]) => unfinished > 0);
    throw new HeadraceError('HR524', {
      what: `${stuck.map(([name]) => name).join(', ')} finished nothing for ${Math.round(longest / 1000)} seconds; ${this.#flights.size} messages are in its queue.`,
      next: `See npx headrace dlq list and the log of the function; then go on with the same --name ${this.#options.replay.name}.`,
    });
  }

  #total(): Tally {
    const total = zero();
    for (const tally of Object.values(this.#tallies)) {
      for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
    }
    return total;
  }

  #of({ subscriber }: Delivery): Counts {
    return this.#tallies[subscriber.name]!;
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}

async function* chunksOf({ journal, replay, now }: RunOptions): AsyncGenerator<readonly Delivery[]> {
  let chunk: Delivery[] = [];
  for await (const entry of journal.events(replay.filter)) {
    chunk.push(...deliveriesOf(entry, replay.subscribers, now()));
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
