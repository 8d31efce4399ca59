import type { AnyEvent } from '../contract';
import type { Module, RulePlan } from '../module';
import { Bucket, type Created } from './bucket';
import type { Injector } from './faults';
import { Monitor } from './monitor';
import type { Queue } from './queue';
import type { Dice } from './random';
import { Schedule } from './schedule';
import { Story } from './story';
import { Table } from './table';

/** When every run begins. */
export const START = Date.parse('2026-01-02T03:04:05.000Z');

/** An event as it is on a bus. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly source: string;
  readonly 'detail-type': string;
  readonly time: string;
  readonly detail: object;
}

/** A module, subscribed. */
export interface Inbox {
  readonly module: Module;
  /** Whether its logic is seen when it runs. */
  readonly watched: boolean;
  readonly queue: Queue;
  readonly maxReceiveCount: number;
  readonly visibilitySeconds: number;
  /** Its rules; made anew when a contract joins. */
  plans: readonly RulePlan[] | undefined;
}

/** An effect on the world outside. */
export interface Effect {
  /** Who did it: a module, or nobody of the pipeline. */
  readonly module: string;
  /** `once` of a context, or an effect of the test's own. */
  readonly kind: 'once' | 'own';
  readonly name: string;
  /** The same in every attempt; undefined when none was given. */
  readonly token: string | undefined;
  /** Times it was done. Who is given a token can tell the first from its repetitions. */
  readonly times: number;
}

/** A run of a workflow that was started. */
export interface StartedRun {
  readonly workflow: string;
  readonly name: string;
  readonly input: unknown;
}

/** Time, chance and the services of one simulated pipeline. */
export class World {
  readonly schedule = new Schedule(START);
  readonly story = new Story(START);
  readonly table = new Table();
  readonly monitor: Monitor;
  readonly inboxes = new Map<string, Inbox>();
  readonly contracts = new Set<AnyEvent>();
  readonly effects = new Map<string, Effect>();
  readonly runs = new Map<string, StartedRun>();
  /** Deaths that were injected, by module and event. */
  readonly deaths = new Map<string, number>();
  /** Set when something that was awaited has come: code will go on. */
  woke = false;
  readonly #buckets = new Map<string, Bucket>();

  readonly dice: Dice;
  readonly faults: Injector;
  readonly #announce: (world: World, store: string, object: Created) => void;

  /** @param announce - told of every object that was written */
  constructor(dice: Dice, faults: Injector, announce: (world: World, store: string, object: Created) => void) {
    this.dice = dice;
    this.faults = faults;
    this.#announce = announce;
    this.monitor = new Monitor({ now: () => this.schedule.now, tell: (who, what) => this.tell(who, what) });
  }

  tell(who: string, what: string, fault = false): void {
    this.story.tell(this.schedule.now, who, what, fault);
  }

  bucket(store: string): Bucket {
    const found = this.#buckets.get(store) ?? new Bucket((object) => this.#announce(this, store, object));
    this.#buckets.set(store, found);
    return found;
  }

  noteEffect(effect: Omit<Effect, 'times'>): void {
    const key = JSON.stringify(effect);
    this.effects.set(key, { ...effect, times: (this.effects.get(key)?.times ?? 0) + 1 });
  }
}
