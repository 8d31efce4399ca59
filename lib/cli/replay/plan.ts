import { HeadraceError } from '../../contract';
import type { Journal, JournalFilter } from '../../journal';
import { againKey, type Delivery, deliveriesOf } from './deliveries';
import type { LedgerStates } from './ledger-states';
import type { Subscriber } from './subscribers';

/** What a replay is about. */
export interface Replay {
  readonly name: string;
  readonly filter: JournalFilter;
  readonly subscribers: readonly Subscriber[];
  /** Whether events already done are handled once more. */
  readonly again: boolean;
  /** Whether what the subscribers emit goes to the live bus. */
  readonly emit: boolean;
}

/** What a replay needs to look things up. */
export interface Sources {
  readonly journal: Pick<Journal, 'events'>;
  readonly states: LedgerStates;
  readonly now: () => Date;
}

export interface SubscriberPlan {
  readonly name: string;
  /** Events its rules let through. */
  hears: number;
  /** Of them, those that are done and stay so: by this very replay, or at all when nothing is repeated. */
  done: number;
  /** Handled for the first time. */
  first: number;
  /** Done before, and handled once more. */
  again: number;
  /** Events it would refuse, by the code of the error. They are not sent. */
  readonly refused: Record<string, number>;
  readonly emits: readonly string[];
}

export interface ReplayPlan {
  readonly name: string;
  /** ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Events of the window that fit the filter. */
  readonly events: number;
  readonly subscribers: readonly SubscriberPlan[];
  /** Messages to send. */
  readonly total: number;
  readonly emitted: 'held back' | 'sent to the live bus';
}

/** Events looked up together in the ledger. */
export const CHUNK = 100;

/** What a replay would do, without doing it. */
export async function planReplay(replay: Replay, sources: Sources): Promise<ReplayPlan> {
  const plans = new Map<string, SubscriberPlan>(replay.subscribers.map((each) => [each.name, emptyPlan(each)]));
  let events = 0;
  let chunk: Delivery[] = [];
  const look = async () => {
    await count(chunk, { replay, sources, plans });
    chunk = [];
  };
  for await (const entry of sources.journal.events(replay.filter)) {
    events++;
    chunk.push(...deliveriesOf(entry, replay.subscribers, sources.now()));
    if (chunk.length >= CHUNK) await look();
  }
  await look();
  const subscribers = [...plans.values()];
  return {
    name: replay.name,
    from: replay.filter.from.toISOString(),
    to: replay.filter.to.toISOString(),
    events,
    subscribers,
    total: subscribers.reduce((sum, { first, again }) => sum + first + again, 0),
    emitted: replay.emit ? 'sent to the live bus' : 'held back',
  };
}

const emptyPlan = ({ name, emits }: Subscriber): SubscriberPlan => ({
  name,
  hears: 0,
  done: 0,
  first: 0,
  again: 0,
  refused: {},
  emits,
});

interface Counting {
  readonly replay: Replay;
  readonly sources: Sources;
  readonly plans: ReadonlyMap<string, SubscriberPlan>;
}

async function count(chunk: readonly Delivery[], { replay, sources, plans }: Counting): Promise<void> {
  const { again, name } = replay;
  const keys = chunk.flatMap((each) => (again ? [each.key, againKey(each, name)] : [each.key]));
  const stateOf = await sources.states(keys);
  for (const each of chunk) {
    const plan = plans.get(each.subscriber.name)!;
    plan.hears++;
    if (each.refusal) plan.refused[each.refusal] = (plan.refused[each.refusal] ?? 0) + 1;
    else if (stateOf(again ? againKey(each, name) : each.key).done) plan.done++;
    else if (stateOf(each.key).done) plan.again++;
    else plan.first++;
  }
}

/**
 * @throws HeadraceError HR505 when there are no events at all, HR522 when nobody who was asked for hears one of them
 */
export function refuseEmpty({ events, subscribers, from, to }: ReplayPlan): void {
  if (events === 0) {
    throw new HeadraceError('HR505', {
      what: `The journal has no such event from ${from} to ${to}.`,
      next: 'Widen the window, or take --type and --subject off. An event is in the journal some seconds after it was sent.',
    });
  }
  if (subscribers.some(({ hears }) => hears > 0)) return;
  const who = subscribers.length === 1 ? `${subscribers[0]?.name} hears` : 'Nobody hears';
  throw new HeadraceError('HR522', {
    what: `${who} ${subscribers.length === 1 ? 'none' : 'any'} of the ${events} events in the window.`,
    next: 'npx headrace graph shows who listens to what; filters on the data count too.',
  });
}
