import { type AnyEvent, type Draft, type Event, type EventOf, HeadraceError, type Listenable } from '../contract';
import {
  checkConcurrency,
  checkKeys,
  checkRest,
  checkSettings,
  DEFAULT_RETRY,
  type StoreAccess,
  WORK_KEYS,
  type WorkSettings,
} from './settings';
import { type On, on, type Subscribable } from './subscribe';

export interface ModuleOptions<
  Listens extends readonly Subscribable[],
  Emits extends readonly AnyEvent[],
  Stores extends StoreAccess,
> extends Partial<WorkSettings> {
  /** Verb and noun, equal to the module's folder name: `collect-batch`. */
  readonly name: string;
  /** What the module does, one sentence. */
  readonly summary: string;
  /** What it listens to: contracts, families, AWS events, or `on(contract, where)` to filter on the data. */
  readonly on: Listens;
  /** Every event it may emit. Emitting another is a type error and a runtime error (HR302). */
  readonly emits: Emits;
  /**
   * Stores it may touch, and how. A store exists because a module names it.
   *
   * @default - none
   */
  readonly stores?: Stores;
  /**
   * Messages handled by one invocation, 1 to 10.
   *
   * @default 10
   */
  readonly batchSize?: number;
  /**
   * Invocations at once, 2 to 1000 (the event source's MaximumConcurrency, not reserved concurrency, which would
   * burn the attempts of good messages).
   *
   * @default 5
   */
  readonly concurrency?: number;
  /**
   * Whether the module is also reachable by a function URL (IAM-authenticated). Its handler then exports `url`.
   *
   * @default false
   */
  readonly url?: boolean;
  /**
   * Whether the events of one subject are handled one at a time and in order, those of others side by side. Every
   * event it listens to then needs a `sequence`.
   *
   * @default false
   */
  readonly ordered?: boolean;
  /**
   * Seconds between the signs of life of long work, 1 to 300 and at most a third of `timeoutSeconds`. After a crash
   * such work is taken up again when three of them are missing, rather than when the invocation would have ended. The
   * logic must not keep the event loop busy for longer than that: a computation without a pause would lose its lease.
   *
   * @default - none: work is held until its invocation ends
   */
  readonly heartbeatSeconds?: number;
  /**
   * Why this module may stand in a circle of modules that feed each other: what makes it come to an end. A circle in
   * which no module says so is refused (HR206).
   *
   * @default - it may not
   */
  readonly cycle?: string;
}

/** A module: one subscription with its function. */
export interface Module<
  Listens extends readonly Subscribable[] = readonly Subscribable[],
  Emits extends readonly AnyEvent[] = readonly AnyEvent[],
  Stores extends StoreAccess = StoreAccess,
> extends WorkSettings {
  readonly kind: 'module';
  readonly name: string;
  readonly summary: string;
  readonly on: readonly On[];
  readonly emits: Emits;
  readonly stores: Stores;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly url: boolean;
  readonly ordered: boolean;
  readonly heartbeatSeconds?: number;
  readonly cycle?: string;
  /** Type carrier only: what the handler receives. */
  readonly listens?: Listens;
}

type Listened<S> = S extends On<infer L> ? L : S extends Listenable ? S : never;

/** The event a module's handler receives: a union over everything it listens to. */
export type EventFor<M> = M extends { readonly listens?: infer L }
  ? NonNullable<L> extends readonly (infer S)[]
    ? EventOf<Listened<S>> & Event
    : never
  : never;

/** The facts a module or step may return. */
export type DraftFor<M> = M extends { readonly emits: readonly (infer C)[] }
  ? C extends { readonly type: infer T extends string }
    ? Draft<T>
    : never
  : never;

/**
 * Declares a module. The app finds it in `lambdas/<name>/module.ts`; nothing else has to name it.
 *
 * @throws HeadraceError HR201 listing every setting out of range
 */
export function defineModule<
  const Listens extends readonly Subscribable[],
  const Emits extends readonly AnyEvent[],
  const Stores extends StoreAccess = Record<never, never>,
>(options: ModuleOptions<Listens, Emits, Stores>): Module<Listens, Emits, Stores> {
  const module: Module<Listens, Emits, Stores> = {
    kind: 'module',
    name: options.name,
    summary: options.summary,
    on: options.on.map((each) => ('listenable' in each ? each : on(each))),
    emits: options.emits,
    stores: options.stores ?? ({} as Stores),
    retry: { ...DEFAULT_RETRY, ...options.retry },
    batchSize: options.batchSize ?? 10,
    concurrency: options.concurrency ?? 5,
    timeoutSeconds: options.timeoutSeconds ?? 60,
    memoryMb: options.memoryMb ?? 512,
    url: options.url ?? false,
    ordered: options.ordered ?? false,
    ...(options.heartbeatSeconds !== undefined && { heartbeatSeconds: options.heartbeatSeconds }),
    ...(options.cycle !== undefined && { cycle: options.cycle }),
  };
  const broken = [
    ...checkKeys(options, [...WORK_KEYS, ...MODULE_KEYS]),
    ...checkSettings(module),
    ...checkRest(module),
    ...rule(module.on.length > 0, 'on must name at least one event', module.on.length),
    ...rule(inRange(module.batchSize, 1, 10), 'batchSize must be a whole number from 1 to 10', module.batchSize),
    ...checkConcurrency(module.concurrency),
    ...checkHeartbeat(module),
    ...checkOrder(module),
    ...rule(options.cycle !== '', 'cycle must say in a sentence what ends the circle', options.cycle),
  ];
  if (broken.length > 0) {
    throw new HeadraceError('HR201', {
      what: `Module ${module.name} is declared wrongly: ${broken.join('; ')}.`,
      next: 'Correct its module.ts.',
    });
  }
  return module;
}

/** Settings that only modules have. */
const MODULE_KEYS = ['on', 'batchSize', 'concurrency', 'url', 'ordered', 'heartbeatSeconds', 'cycle'];

function checkHeartbeat({ heartbeatSeconds, timeoutSeconds }: Module<never, never, StoreAccess> | Module): string[] {
  if (heartbeatSeconds === undefined) return [];
  const most = Math.min(300, Math.floor(timeoutSeconds / 3));
  const text = `heartbeatSeconds must be a whole number from 1 to ${most}, a third of timeoutSeconds`;
  return rule(inRange(heartbeatSeconds, 1, most), text, heartbeatSeconds);
}

/** An ordered module must hear every event of a subject, and each must have its place. */
function checkOrder({ ordered, on }: Pick<Module, 'ordered' | 'on'>): string[] {
  if (!ordered) return [];
  return on.flatMap(({ listenable, where }) => {
    if (listenable.kind === 'family') return [`ordered modules can't listen to a family, got ${listenable.name}`];
    if (listenable.sequence === undefined)
      return [`ordered needs a \`sequence\` in the contract of ${listenable.type}`];
    const counted = typeof listenable.sequence === 'string';
    return counted && where ? [`ordered modules must hear every ${listenable.type}: take its filter away`] : [];
  });
}

const inRange = (value: number, from: number, to: number) => Number.isInteger(value) && value >= from && value <= to;

const rule = (holds: boolean, text: string, got: unknown) => (holds ? [] : [`${text}, got ${got}`]);
