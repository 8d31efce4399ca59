import type { Draft, Envelope } from '../contract';
import type { Module } from '../module';
import type { Item } from './expression';
import { judgeLetter, type Told } from './letter-judge';
import { type Attempt, type Broken, labelOf, type WorkRecord } from './record';

export interface MonitorOptions {
  readonly now: () => number;
  /** A line of the story. */
  readonly tell: (who: string, what: string) => void;
}

/** Watches a run and says when a rule is broken. It sees what the services see, and the logic where it was given. */
export class Monitor {
  /** The first rule that was broken. */
  broken: Broken | undefined;
  readonly records = new Map<string, WorkRecord>();
  /** Events that reached the bus, by id, in order. */
  readonly onBus = new Map<string, Envelope>();
  readonly published = new Set<string>();
  /** What was committed, in order. */
  readonly handled: WorkRecord[] = [];
  readonly #options: MonitorOptions;
  readonly #committed = new Map<string, Envelope>();

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  fail(rule: string, how: string): void {
    this.broken ??= { rule, how };
  }

  recordOf(module: string, workId: string): WorkRecord | undefined {
    return this.records.get(`${module}#${workId}`);
  }

  /** A message for the module is on its way. */
  expect(module: Module, work: Pick<WorkRecord, 'workId' | 'label' | 'watched' | 'sequence'>): void {
    const key = `${module.name}#${work.workId}`;
    if (this.records.has(key)) return;
    this.records.set(key, {
      module,
      ...work,
      done: false,
      parked: false,
      outbox: [],
      attempts: new Map(),
      threw: 0,
      poison: false,
      hung: 0,
      effects: new Map(),
    });
  }

  /** An event was accepted by the bus. */
  accepted(who: string, envelope: Envelope): void {
    const { id, type } = envelope;
    const before = this.onBus.get(id);
    this.#options.tell(who, `${labelOf(type, id)} reaches the bus${before ? ' once more' : ''}`);
    if (!this.published.has(id) && !this.#committed.has(id)) {
      this.fail('nothing is published that was not committed', `${labelOf(type, id)} is on the bus`);
    }
    if (!before) this.onBus.set(id, envelope);
    else if (JSON.stringify(before) !== JSON.stringify(envelope)) {
      this.fail('an id stands for one event', `${labelOf(type, id)} is on the bus with two contents`);
    }
  }

  /** Somebody wants to commit these events. */
  offered(key: string, outbox: readonly Envelope[]): void {
    const record = this.records.get(key);
    if (!record) return;
    const ids = outbox.map(({ id }) => id);
    record.offered ??= ids;
    const same = ids.slice(0, record.offered.length).every((id, i) => id === record.offered?.[i]);
    if (!same) this.fail('every attempt gives the events the same ids', `${record.label} in ${record.module.name}`);
  }

  /** An item of the ledger was written. */
  updated(who: string, before: Item, after: Item): void {
    const key = after.pk?.S ?? '';
    const record = this.records.get(key);
    if (key.includes(':order#')) this.#turn(who, before, after);
    else if (!record) this.fail('the ledger knows what was sent', `${who} wrote ${key}`);
    else if (before.status?.S === 'done') this.#afterDone(who, record, [before, after]);
    else if (after.status?.S === 'done') this.#done(who, record, after);
    else if (after.fence?.N !== before.fence?.N) this.#leased(who, record, [before, after]);
    else this.#whileLeased(who, record, [before, after]);
  }

  #whileLeased(who: string, record: WorkRecord, [before, after]: [Item, Item]): void {
    if (after.once?.S !== before.once?.S) this.#saved(who, record, after);
    if (after.lease_until?.N === '0') this.#options.tell(who, `gives ${record.label} back`);
  }

  #turn(who: string, before: Item, after: Item): void {
    if (after.last?.N !== before.last?.N || after.last?.S !== before.last?.S) {
      this.#options.tell(who, 'lets the next of the subject through');
    }
  }

  #leased(who: string, record: WorkRecord, [before, after]: [Item, Item]): void {
    const attempt = this.attempt(who, record);
    attempt.fence = Number(after.fence?.N);
    // In company of others, the attempt is counted when it fails.
    const counted = after.attempts?.N !== (before.attempts?.N ?? '0');
    const number = Number(after.attempts?.N) + (counted ? 0 : 1);
    this.#options.tell(who, `takes the lease of ${record.label} (attempt ${number})`);
    if (Number(before.lease_until?.N ?? 0) >= this.#options.now()) {
      this.fail("a running lease is nobody else's", `${who} took ${record.label} from ${record.holder}`);
    }
    record.holder = who;
  }

  #saved(who: string, record: WorkRecord, after: Item): void {
    const names = Object.keys(JSON.parse(after.once?.S ?? '{}') as object);
    for (const name of names) {
      const effect = record.effects.get(name);
      if (effect && effect.savedUnder === undefined) {
        effect.savedUnder = Number(after.fence?.N);
        this.#options.tell(who, `notes that ${name} of ${record.label} is done`);
      } else if (!effect && record.watched) {
        this.fail('an effect is noted when it is done', `${name} of ${record.label} was noted before`);
      }
    }
  }

  #done(who: string, record: WorkRecord, after: Item): void {
    const outbox = JSON.parse(after.outbox?.S ?? '[]') as Envelope[];
    const emits = outbox.map(({ type, id }) => labelOf(type, id)).join(', ');
    this.#options.tell(who, `commits ${record.label}${emits && `, which gives ${emits}`}`);
    record.done = true;
    this.handled.push(record);
    record.outbox = outbox;
    for (const envelope of outbox) this.#committed.set(envelope.id, envelope);
    if (record.holder !== who) {
      this.fail('who lost the lease commits nothing', `${who} committed ${record.label}, held by ${record.holder}`);
    }
    if (record.watched) this.#logicWasDone(who, record);
    if (record.sequence) this.#inSequence(record, this.attempt(who, record));
  }

  #logicWasDone(who: string, record: WorkRecord): void {
    const { logic, drafts } = this.attempt(who, record);
    const passedOver = logic === 'none' && typeof record.sequence?.value === 'string' && record.outbox.length === 0;
    const same = drafts.join() === record.outbox.map(({ type }) => type).join();
    if (!passedOver && (logic !== 'returned' || !same)) {
      this.fail('done is what the logic did', `${record.label} was committed with the logic ${logic}`);
    }
  }

  /** Numbers are handled 1, 2, 3, ...; texts rise. */
  #inSequence(record: WorkRecord, { logic }: Attempt): void {
    const { sequence } = record;
    if (!sequence || (logic === 'none' && typeof sequence.value === 'string')) return;
    const before = this.handled.filter(
      (each) => each !== record && each.module === record.module && each.sequence?.scope === sequence.scope,
    );
    const { value } = sequence;
    const next = typeof value !== 'number' || before.length === value - 1;
    if (next && before.every((each) => (each.sequence?.value ?? value) < value)) return;
    this.fail(
      "a subject's events are handled in order",
      `${record.label} came after ${before.map(({ label }) => label)}`,
    );
  }

  #afterDone(who: string, record: WorkRecord, [before, after]: [Item, Item]): void {
    if (after.status?.S !== 'done' || after.outbox?.S !== before.outbox?.S || after.done_at?.N !== before.done_at?.N) {
      this.fail('an event is committed once', `${who} wrote over ${record.label}`);
    }
    if (before.sent?.BOOL !== true && after.sent?.BOOL === true) {
      this.#options.tell(who, `notes that what follows from ${record.label} is sent`);
      const lacking = record.outbox.find(({ id }) => !this.onBus.has(id));
      if (lacking) this.fail('what is noted as sent is on the bus', `${labelOf(lacking.type, lacking.id)} is not`);
    }
  }

  attempt(who: string, record: WorkRecord): Attempt {
    const attempt = record.attempts.get(who) ?? { fence: 0, logic: 'none', drafts: [] };
    record.attempts.set(who, attempt);
    return attempt;
  }

  /** The logic returned. */
  returned(who: string, record: WorkRecord, drafts: readonly Draft[]): void {
    Object.assign(this.attempt(who, record), { logic: 'returned', drafts: drafts.map(({ type }) => type) });
  }

  /** An effect of `once` begins. */
  effect(who: string, record: WorkRecord, { name, token }: { readonly name: string; readonly token: string }): void {
    const known = record.effects.get(name) ?? { token, times: 0 };
    record.effects.set(name, known);
    known.times++;
    if (known.token !== token) this.fail('an effect keeps its token', `${name} of ${record.label} has two`);
    if (known.savedUnder !== undefined && known.savedUnder <= this.attempt(who, record).fence) {
      this.fail('what is noted as done is not done again', `${name} of ${record.label} by ${who}`);
    }
  }

  /** `once` gave its result to the logic. */
  afterEffect(who: string, record: WorkRecord, { name, item }: { name: string; item: Item | undefined }): void {
    const effect = record.effects.get(name);
    const still = Number(item?.fence?.N) === this.attempt(who, record).fence;
    if (!effect) this.fail('a result comes from an effect', `${name} of ${record.label} was never done`);
    else if (still && effect.savedUnder === undefined) {
      this.fail('the result of once is kept', `${name} of ${record.label} is not in the ledger`);
    }
  }

  /** A message leaves its queue. */
  deleted(module: string, { workId, label }: Pick<WorkRecord, 'workId' | 'label'>): void {
    const record = this.recordOf(module, workId);
    if (record?.done || record?.parked) return;
    this.fail('a message goes when it is done or parked', `${label} was deleted from the queue of ${module}`);
  }

  /** A letter arrived in a dead letter queue; without `told` SQS moved it there. */
  parked(who: string, record: WorkRecord, told: Told | undefined): void {
    this.#options.tell(
      who,
      `parks ${record.label}: ${told ? `${told.reason}, ${told.message}` : 'received too often'}`,
    );
    const wrong = judgeLetter(record, told, this.records);
    if (wrong) this.fail('only bad events are parked, with their reason', `${record.label}: ${wrong}`);
    record.parked = true;
  }

  /** What has to hold when all has come to rest. */
  atEnd(): void {
    for (const id of this.published) {
      if (!this.onBus.has(id)) this.fail('what is published reaches the bus', `${id} did not`);
    }
    for (const record of this.records.values()) {
      const { done, parked, label, module, outbox } = record;
      if (!done && !parked) this.fail('no event is lost', `${label} was neither handled by ${module.name} nor parked`);
      const lacking = outbox.find(({ id }) => !this.onBus.has(id));
      if (lacking) {
        const { id, type } = lacking;
        this.fail('what was committed reaches the bus', `${labelOf(type, id)} of ${module.name} did not`);
      }
    }
  }
}
