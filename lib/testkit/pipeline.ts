import type { S3Client } from '@aws-sdk/client-s3';
import { type AnyEvent, type Draft, type Event, type EventOf, HeadraceError, openEvent } from '../contract';
import { ENV, type Module, type StoreAccess } from '../module';
import { queueSettings } from '../module/queue-settings';
import { consume, type Handler, S3Store, type WritableStore } from '../runtime';
import { announce } from './bus';
import { callerNow } from './caller';
import { callOf } from './calls';
import { type FaultChoice, Injector } from './faults';
import { toldBy } from './letter-judge';
import { Publisher } from './publisher';
import { Queue } from './queue';
import { Dice } from './random';
import { Runner } from './runner';
import { Source } from './source';
import { type AnyLogic, watched } from './watch';
import { type Effect, type Inbox, type StartedRun, World } from './world';

type AnyModule = Module<never, never, StoreAccess> | Module<never, never, never> | Module;

/** A module of the pipeline, with its logic or with the handler of its `handler.ts`. */
export type Part =
  | {
      readonly module: AnyModule;
      /** Seen when it runs: more rules are checked than with a handler. */
      readonly logic: (event: never, context: never) => Promise<readonly Draft[]>;
    }
  | { readonly module: AnyModule; readonly handler: Handler };

export interface SimulateOptions {
  /** Everything that is drawn is drawn from it: the same seed, the same run. @default 1 */
  readonly seed?: number;
  /** What goes wrong. @default 'none' */
  readonly faults?: FaultChoice;
  /** Longest chain of events that is handled. @default 15 */
  readonly maxHops?: number;
  /** Contracts that no module names: members of families that are listened to. @default - none */
  readonly contracts?: readonly AnyEvent[];
  /** Virtual time after which a run that has not come to rest is given up, hours. @default 240 */
  readonly maxHours?: number;
  /** Leave out every fault but these, by their names in {@link Pipeline.faults}. @default - none is left out */
  readonly only?: ReadonlySet<string>;
  /** Called with the pipeline that was made. @default - nobody is told */
  readonly made?: (pipeline: Pipeline) => void;
}

/** An event that a module gave up, or that SQS took away from it. */
export interface DeadLetter {
  readonly module: string;
  /** Id of the event. */
  readonly id: string;
  /** The message, as it was received. */
  readonly body: string;
  /** `poison`, `attempts`, or `receives` when SQS moved it. */
  readonly reason: string;
  readonly attempts: number;
  readonly error: { readonly name: string; readonly message: string; readonly code?: string };
}

/** An event that a module has handled. */
export interface HandledEvent {
  readonly id: string;
  /** `essay.arrived 1f3a90aa` */
  readonly label: string;
}

/** A pipeline in memory: the runtime that is deployed, with time, chance and AWS in the hands of a seed. */
export class Pipeline {
  readonly seed: number;
  readonly #world: World;
  readonly #publisher: Publisher;
  readonly #runner: Runner;

  constructor(parts: readonly Part[], options: SimulateOptions = {}) {
    this.seed = options.seed ?? 1;
    const dice = new Dice(this.seed);
    this.#world = new World(dice, new Injector(dice, options.faults ?? 'none', options.only), announce);
    this.#publisher = new Publisher(this.#world);
    const sources = parts.map((part) => addPart(this.#world, part, options));
    for (const contract of options.contracts ?? []) this.#world.contracts.add(contract);
    this.#runner = new Runner(this.#world, sources, { seed: this.seed, maxHours: options.maxHours ?? 240 });
    options.made?.(this);
  }

  /**
   * Publishes from outside, as soon as the pipeline runs.
   *
   * @returns the ids of the events
   */
  publish(drafts: Draft | readonly Draft[]): readonly string[] {
    return this.#publisher.publish('contract' in drafts ? [drafts] : drafts);
  }

  /** Writes an object as somebody outside would, as soon as the pipeline runs: who listens to the store hears of it. */
  put(store: string, key: string, body: Uint8Array | string): void {
    const { schedule } = this.#world;
    schedule.in(0, () => void this.#world.bucket(store).put({ Key: key, Body: body }));
  }

  /**
   * Lets time pass until everything has come to rest, then checks what has to hold.
   *
   * @throws HeadraceError HR701 when a rule was broken, HR702 when it does not come to rest
   */
  run(): Promise<void> {
    return this.#runner.run();
  }

  /** Every event of the contract that reached the bus, each once, in order. */
  emitted<C extends AnyEvent>(contract: C): readonly EventOf<C>[] {
    const found = [...this.#world.monitor.onBus.values()].filter(
      ({ dataschema }) => dataschema === contract.dataschema,
    );
    return found.map((detail) => {
      const { id, source, type, time } = detail;
      return openEvent({ id, source, 'detail-type': type, time, detail }, [contract]) as Event as EventOf<C>;
    });
  }

  /** What lies in the dead letter queues, or in that of one module. */
  deadLetters(module?: string): readonly DeadLetter[] {
    return this.#inboxes(module).flatMap(({ module: { name }, queue }) =>
      queue.parked.map(({ body, workId, attributes }) => {
        const told = toldBy(attributes);
        const { reason = 'receives', attempts = 0 } = told ?? {};
        const error = {
          name: told?.name ?? 'Error',
          message: told?.message ?? '',
          ...(told?.code && { code: told.code }),
        };
        return { module: name, id: workId, body, reason, attempts, error };
      }),
    );
  }

  /** The events a module has handled, in the order in which they were committed. */
  handled(module: string): readonly HandledEvent[] {
    this.#inboxes(module);
    return this.#world.monitor.handled
      .filter((each) => each.module.name === module)
      .map(({ workId, label }) => ({ id: workId, label }));
  }

  /** Effects on the world outside that were truly done: those of `once`, and those of {@link effect}. */
  get effects(): readonly Effect[] {
    return [...this.#world.effects.values()];
  }

  /**
   * An effect of the test's own: a call of a service outside, which takes time and may fail like any other.
   *
   * @param token - tells the service that it is the same effect again
   */
  async effect(name: string, token?: string): Promise<void> {
    const caller = callerNow();
    const module = caller?.who.split('/')[0] ?? '';
    const apply = () => {
      this.#world.noteEffect({ module, kind: 'own', name, token });
      this.#world.tell(caller?.who ?? 'test', `has ${name} done`);
    };
    if (caller) await caller.make({ name, key: token ?? '', apply });
    else apply();
  }

  /** Runs of workflows that were started. The workflows themselves are not simulated. */
  get runs(): readonly StartedRun[] {
    return [...this.#world.runs.values()];
  }

  /** A store, at once and without faults: to lay out what a test needs, and to look at what came of it. */
  store(name: string): WritableStore {
    const caller = { who: 'test', world: this.#world };
    const client = { send: async (command: { readonly input: object }) => callOf(command, caller).apply() };
    return new S3Store(client as unknown as S3Client, name);
  }

  /** What happened, one line a step: virtual seconds, who, what. An injected fault is marked with `!`. */
  story(): string {
    return this.#world.story.text();
  }

  /** Names of the faults that were injected, in order. */
  get faults(): readonly string[] {
    return this.#world.faults.injected;
  }

  #inboxes(module: string | undefined): readonly Inbox[] {
    const all = [...this.#world.inboxes.values()];
    if (module === undefined) return all;
    const found = all.filter((each) => each.module.name === module);
    if (found.length > 0) return found;
    throw new HeadraceError('HR705', {
      what: 'The pipeline has no such module.',
      got: module,
      allowed: [...this.#world.inboxes.keys()].join(', '),
      next: 'Correct the name, or add the module to the pipeline.',
    });
  }
}

function addPart(world: World, part: Part, { maxHops }: SimulateOptions): Source {
  const module = part.module as Module;
  const { name } = module;
  refuseUnfit(world, part);
  const handler =
    'handler' in part
      ? part.handler
      : consume(module, watched(world, name, part.logic as unknown as AnyLogic) as never);
  const { maxReceiveCount, visibilitySeconds } = queueSettings(module);
  const queue = new Queue({
    schedule: world.schedule,
    maxReceiveCount,
    wake: () => source.wake(),
    onDelete: (message) => world.monitor.deleted(name, message),
    onRedrive: ({ workId }) => {
      const record = world.monitor.recordOf(name, workId);
      if (record) world.monitor.parked('sqs', record, undefined);
    },
  });
  const inbox: Inbox = {
    module,
    watched: 'logic' in part,
    queue,
    maxReceiveCount,
    visibilitySeconds,
    plans: undefined,
  };
  const source = new Source(world, { inbox, handler, env: environmentOf(module, maxHops) });
  world.inboxes.set(name, inbox);
  for (const contract of module.emits) world.contracts.add(contract);
  for (const { listenable } of module.on) if (listenable.kind === 'event') world.contracts.add(listenable);
  return source;
}

function refuseUnfit(world: World, part: Part): void {
  const { name } = part.module as Module;
  if (!world.inboxes.has(name) && ('handler' in part || typeof part.logic === 'function')) return;
  throw new HeadraceError('HR705', {
    what: world.inboxes.has(name) ? `Two modules are named ${name}.` : `${name} has neither logic nor handler.`,
    allowed: '{ module, logic } or { module, handler }, each module once',
    next: 'Correct what is handed to simulate.',
  });
}

/** Queues, table and buckets by the names the simulated services know them by. */
const environmentOf = ({ name, stores }: Module, maxHops: number | undefined): Readonly<Record<string, string>> => ({
  [ENV.bus]: 'bus',
  [ENV.ledger]: 'ledger',
  [ENV.queueUrl]: `queue:${name}`,
  [ENV.deadLetterQueueUrl]: `letters:${name}`,
  [ENV.stateMachineArn]: name,
  [ENV.codeVersion]: 'simulated',
  ...(maxHops !== undefined && { [ENV.maxHops]: String(maxHops) }),
  ...Object.fromEntries(Object.keys(stores).map((store) => [ENV.store(store), store])),
});

/** Makes a pipeline in memory of these modules. @throws HeadraceError HR705 for a part that is none */
export const simulate = (parts: readonly Part[], options: SimulateOptions = {}): Pipeline =>
  new Pipeline(parts, options);
