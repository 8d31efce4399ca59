import type { Delivery, LedgerState, Replay, Subscriber } from '../../../lib/cli/replay';
import { againKey } from '../../../lib/cli/replay/deliveries';
import { subscribersOf } from '../../../lib/cli/replay/subscribers';
import type { JournalEntry } from '../../../lib/journal';
import { defineModule, OUTPUT, on, type Project } from '../../../lib/module';
import { busEvent } from '../../support/aws';
import { NOW } from '../../support/clock';
import { essayArrived, essayGraded, gradeEssay } from '../../support/essays';

/** Hears long essays only. */
const readLong = defineModule({
  name: 'read-long',
  summary: 'Reads long essays',
  on: [on(essayArrived, { words: [{ numeric: ['>', 500] }] })],
  emits: [],
});

export const project: Project = {
  root: '/essays',
  modules: [gradeEssay, readLong].map((declared) => ({ declared, file: '' })),
  steps: [],
  workflows: [],
  contracts: [essayArrived, essayGraded],
};

export const outputs = { [OUTPUT.queue('grade-essay')]: 'queue/grade', [OUTPUT.queue('read-long')]: 'queue/read' };

export const subscribers = (only?: string): readonly Subscriber[] => subscribersOf(project, outputs, only).chosen;

export interface Past {
  readonly id: string;
  readonly essay?: string;
  readonly data?: object;
  readonly time?: Date;
}

export function entryOf({ id, essay = 'e-1', data = {}, time = NOW }: Past): JournalEntry {
  const event = busEvent(essayArrived.create({ ...essayArrived.example, essay }), { id, time });
  event.detail.data = { ...(event.detail.data as object), ...data };
  const { type } = essayArrived;
  return { received: NOW.toISOString(), id, type, subject: essay, time: time.toISOString(), correlationId: id, event };
}

/** A journal of these events. */
export const journalOf = (...past: readonly Past[]) => ({
  async *events() {
    yield* past.map(entryOf);
  },
});

export function replayOf(over: Partial<Replay> = {}): Replay {
  const filter = { from: new Date(NOW.getTime() - 3_600_000), to: NOW };
  return { name: 'r-1', filter, subscribers: subscribers('grade-essay'), again: false, emit: false, ...over };
}

export const FRESH: LedgerState = { done: false, fence: 0, parked: false };
export const DONE: LedgerState = { done: true, fence: 1, parked: false };
export const GIVEN_UP: LedgerState = { done: false, fence: 2, parked: true };

/**
 * Subscribers in a world of its own time. Each look into the ledger takes a tick; what was sent is done some ticks later,
 * unless `outcome` says otherwise.
 */
export class World {
  readonly ledger = new Map<string, LedgerState>();
  /** Ids in the order they were sent. */
  readonly sent: string[] = [];
  /** Most deliveries of one lane under way at once. */
  readonly most = new Map<string, number>();
  outcome: (id: string) => LedgerState | undefined = () => DONE;
  onSleep: () => void = () => undefined;
  /** Looks until a delivery has its outcome, on top of up to three. */
  delay = 0;
  #now = NOW.getTime();
  #open: { readonly delivery: Delivery; readonly key: string; ticks: number }[] = [];
  readonly #again: string | undefined;

  constructor(again?: string) {
    this.#again = again;
  }

  readonly now = () => new Date(this.#now);

  readonly sleep = async (ms: number) => {
    this.#now += ms;
    this.onSleep();
  };

  readonly states = async () => {
    for (const each of this.#open) each.ticks--;
    for (const { delivery, key } of this.#open.filter(({ ticks }) => ticks <= 0)) {
      const outcome = this.outcome(delivery.entry.id);
      if (outcome) this.ledger.set(key, outcome);
    }
    this.#open = this.#open.filter(({ ticks }) => ticks > 0);
    return (key: string) => this.ledger.get(key) ?? FRESH;
  };

  readonly send = async (deliveries: readonly Delivery[]) => {
    for (const delivery of deliveries) {
      const { lane, entry } = delivery;
      this.sent.push(entry.id);
      const key = this.#again === undefined ? delivery.key : againKey(delivery, this.#again);
      this.#open.push({ delivery, key, ticks: 1 + this.delay + (entry.id.length % 3) });
      const under = this.#open.filter((each) => each.delivery.lane === lane).length;
      this.most.set(lane, Math.max(this.most.get(lane) ?? 0, under));
    }
  };
}
