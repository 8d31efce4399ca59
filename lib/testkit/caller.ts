import { type Platform, platform, type Surroundings } from '../runtime';
import { type Call, callOf } from './calls';
import type { CallFault } from './faults';
import type { Planned } from './schedule';
import type { World } from './world';

/** Fastest and slowest call, milliseconds. */
const LATENCY_MS = [2, 25] as const;
/** After which the SDK gives up waiting for an answer, milliseconds. */
const SDK_TIMEOUT_MS = 3_000;

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const callers = new WeakMap<Surroundings, Caller>();

/** Whose code runs just now, if it is that of a simulated pipeline. */
export const callerNow = (): Caller | undefined => callers.get(platform());

/** Somebody who calls services, in surroundings of its own. */
export abstract class Caller {
  readonly who: string;
  readonly world: World;
  /** Awaited calls and waits that are under way. */
  waiting = 0;
  protected alive = true;
  /** Until when it stands still: whatever comes before comes then. */
  protected frozenUntil = 0;
  readonly #timers = new Set<Planned>();

  /** @param who - `grade-essay/2` */
  constructor(world: World, who: string) {
    this.world = world;
    this.who = who;
  }

  /** Whose calls these are, whoever makes them: `grade-essay`. */
  protected abstract readonly name: string;
  protected abstract env(name: string): string | undefined;
  /** An effect of `once` that has no result yet. */
  protected abstract effect(name: string, token: string, fn: (token: string) => Promise<unknown>): Promise<unknown>;
  /** Whether this fault may befall it now. */
  protected abstract mayMeet(fault: CallFault, call: Pick<Call, 'name'>): boolean;
  protected abstract die(how: string): void;
  /** Whether it goes on after a call that took so long; otherwise its time is up meanwhile. */
  protected abstract stall(ms: number, occasion: string): void;
  /** How long a delayed call takes, milliseconds. */
  protected abstract lateness(occasion: string): number;

  protected surroundings(): Platform {
    const { dice, schedule } = this.world;
    const random = dice.stream(this.who);
    const client = { send: (command: { readonly input: object }) => this.send(command) };
    let ids = 0;
    const own: Platform = {
      now: () => schedule.now,
      random,
      uuid: () => dice.id(`${this.who}|${++ids}`),
      sleep: (ms, signal) => this.#sleep(ms, signal),
      env: (name) => this.env(name),
      log: () => SILENT,
      count: () => undefined,
      effect: (name, token, fn) => this.effect(name, token, fn),
      clients: { dynamodb: client, eventbridge: client, s3: client, sfn: client, sqs: client },
    };
    callers.set(own, this);
    return own;
  }

  /** It is gone: nothing it waits for comes any more. */
  protected end(): void {
    this.alive = false;
    for (const timer of this.#timers) this.world.schedule.cancel(timer);
    this.#timers.clear();
  }

  send(command: { readonly input: object }): Promise<unknown> {
    // Who is dead makes no calls. A promise of its own, or the waiting would pile up.
    if (!this.alive) return new Promise(() => undefined);
    return this.make(callOf(command, this));
  }

  /** Makes a call, which takes time and may go wrong. */
  make(call: Call): Promise<unknown> {
    const { faults } = this.world;
    const occasion = faults.occasion(`${this.name}|${call.name}|${call.key}`);
    const fault = faults.strikesCall(occasion, (kind) => this.mayMeet(kind, call));
    this.waiting++;
    return new Promise((resolve, reject) => {
      const answer = (outcome: Outcome) => {
        if (!this.alive || this.#isFrozen(() => answer(outcome))) return;
        this.waiting--;
        this.world.woke = true;
        if ('error' in outcome) reject(outcome.error as Error);
        else resolve(outcome.value);
      };
      const latency = this.world.dice.between(`latency|${occasion}`, ...LATENCY_MS);
      if (fault === undefined) this.world.schedule.in(latency, () => answer(outcomeOf(call)));
      else this.#goWrong({ call, occasion, fault, latency, answer });
    });
  }

  #goWrong(wrong: Wrong): void {
    const { call, occasion, fault, latency, answer } = wrong;
    const { schedule } = this.world;
    if (fault === 'delay') {
      const late = this.lateness(occasion);
      this.#tell(`${call.name} takes ${(late / 1000).toFixed(1)} s`);
      this.stall(late, occasion);
      schedule.in(late, () => answer(outcomeOf(call)));
      return;
    }
    const inSome = (outcome: Outcome | (() => Outcome), ms = 0) => {
      if (ms > 0) schedule.in(ms, () => answer(known(outcome)));
      else answer(known(outcome));
    };
    schedule.in(latency, () => this.#effects[fault]({ ...wrong, answer: inSome }));
  }

  readonly #effects: Readonly<Record<Exclude<CallFault, 'delay'>, (wrong: WrongNow) => void>> = {
    crash: ({ call, occasion }) => {
      const before = this.world.dice.roll(`before|${occasion}`) < 0.5;
      if (!before) outcomeOf(call);
      this.die(`dies ${before ? 'before' : 'after'} ${call.name} took effect`);
    },
    lost: ({ call, answer }) => {
      outcomeOf(call);
      this.#tell(`the answer of ${call.name} gets lost`);
      answer({ error: failure('TimeoutError', 'socket hang up') }, SDK_TIMEOUT_MS);
    },
    repeated: ({ call, answer }) => {
      outcomeOf(call);
      this.#tell(`the answer of ${call.name} gets lost, and the SDK makes it once more`);
      answer(() => outcomeOf(call), SDK_TIMEOUT_MS);
    },
    throttle: ({ call, answer }) => {
      this.#tell(`${call.name} is throttled`);
      answer({ error: failure('ThrottlingException', 'Rate exceeded', 400) });
    },
    error: ({ call, occasion, answer }) => {
      const effective = this.world.dice.roll(`effective|${occasion}`) < 0.5;
      if (effective) outcomeOf(call);
      this.#tell(`${call.name} fails with 500 ${effective ? 'after' : 'before'} it took effect`);
      answer({ error: failure('InternalServerError', 'Internal server error', 500) });
    },
    refuse: ({ call, occasion, answer }) => {
      this.#tell(`${call.name} refuses some`);
      answer(outcomeOf(call, (i) => this.world.dice.roll(`refused|${occasion}|${i}`) < 0.5));
    },
  };

  /** Puts off what comes while it stands still. */
  #isFrozen(later: () => void): boolean {
    const { schedule } = this.world;
    if (schedule.now >= this.frozenUntil) return false;
    schedule.in(this.frozenUntil - schedule.now, () => this.alive && later());
    return true;
  }

  #tell(what: string): void {
    this.world.tell(this.who, what, true);
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { schedule } = this.world;
    // What can be called off is waited for beside the work, not by it.
    const counts = signal === undefined ? 1 : 0;
    this.waiting += counts;
    return new Promise((resolve, reject) => {
      const abort = () => {
        schedule.cancel(timer);
        this.#timers.delete(timer);
        reject(signal?.reason as Error);
      };
      const wake = () => {
        this.#timers.delete(timer);
        if (this.#isFrozen(wake)) return;
        signal?.removeEventListener('abort', abort);
        this.waiting -= counts;
        this.world.woke = true;
        resolve();
      };
      const timer = schedule.in(ms, wake);
      this.#timers.add(timer);
      signal?.addEventListener('abort', abort);
    });
  }
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Wrong {
  readonly call: Call;
  readonly occasion: string;
  readonly fault: CallFault;
  readonly latency: number;
  readonly answer: (outcome: Outcome) => void;
}

interface WrongNow extends Omit<Wrong, 'answer'> {
  readonly answer: (outcome: Outcome | (() => Outcome), inMs?: number) => void;
}

const known = (outcome: Outcome | (() => Outcome)): Outcome => (typeof outcome === 'function' ? outcome() : outcome);

function outcomeOf(call: Call, refused?: (index: number) => boolean): Outcome {
  try {
    return { value: call.apply(refused) };
  } catch (error) {
    return { error };
  }
}

const failure = (name: string, message: string, httpStatusCode?: number) =>
  Object.assign(new Error(message), { name, $metadata: httpStatusCode === undefined ? {} : { httpStatusCode } });
