import * as z from 'zod';
import { type AnyEvent, HeadraceError } from '../contract';
import {
  checkKeys,
  checkRest,
  checkSettings,
  DEFAULT_RETRY,
  type StoreAccess,
  WORK_KEYS,
  type WorkSettings,
} from './settings';

export interface StepOptions<Emits extends readonly AnyEvent[], Stores extends StoreAccess>
  extends Partial<WorkSettings> {
  /** Verb and noun, equal to the step's folder name. */
  readonly name: string;
  readonly summary: string;
  /** Every event the step may emit. */
  readonly emits: Emits;
  readonly stores?: Stores;
}

/** A step: a function that a workflow calls. It is found like a module, in `lambdas/<name>/module.ts`. */
export interface Step<Emits extends readonly AnyEvent[] = readonly AnyEvent[], Stores extends StoreAccess = StoreAccess>
  extends WorkSettings {
  readonly kind: 'step';
  readonly name: string;
  readonly summary: string;
  readonly emits: Emits;
  readonly stores: Stores;
}

/** Declares a step of a workflow. @throws HeadraceError HR201 listing every setting out of range */
export function defineStep<
  const Emits extends readonly AnyEvent[],
  const Stores extends StoreAccess = Record<never, never>,
>(options: StepOptions<Emits, Stores>): Step<Emits, Stores> {
  const step: Step<Emits, Stores> = {
    kind: 'step',
    name: options.name,
    summary: options.summary,
    emits: options.emits,
    stores: options.stores ?? ({} as Stores),
    retry: { ...DEFAULT_RETRY, ...options.retry },
    timeoutSeconds: options.timeoutSeconds ?? 300,
    memoryMb: options.memoryMb ?? 1024,
  };
  const broken = [...checkKeys(options, WORK_KEYS), ...checkSettings(step), ...checkRest(step)];
  if (broken.length > 0) {
    throw new HeadraceError('HR201', {
      what: `Step ${step.name} is declared wrongly: ${broken.join('; ')}.`,
      next: 'Correct its module.ts.',
    });
  }
  return step;
}

/** What identifies a run in every state: small, so that the state never nears Step Functions' 256 KiB. */
export const runSchema = z.object({
  /** Deterministic: starting the same event twice is one run. */
  id: z.string(),
  workflow: z.string(),
  /** The event that started the run. */
  event: z.object({
    id: z.string(),
    type: z.string(),
    time: z.string(),
    correlationId: z.string(),
    hops: z.number(),
    traceparent: z.string().optional(),
    trail: z.string().optional(),
    data: z.record(z.string(), z.unknown()),
  }),
});

export type Run = z.output<typeof runSchema>;

/** What a state machine hands to a step's function. */
export const stepInputSchema = z.object({
  run: runSchema,
  /** The item of a `forEach`; absent in a plain `run`. */
  item: z.unknown().optional(),
  /** Turn of a repeated step, from 0. */
  turn: z.number().int().nonnegative().default(0),
});

export type StepInput = z.output<typeof stepInputSchema>;

/** What a step's function returns to the state machine. */
export interface StepOutput {
  /** A word the plan decides on: `cleaned`, `rejected`, `unfinished`. */
  readonly outcome: string;
}

/** Where the items of a `forEach` stand in the runs store: written by the runtime for the step that lists them. */
export const itemsKey = (runId: string, step: string): string => `runs/${runId}/${step}/items.json`;

/** Under which key Step Functions writes what the items of a `forEach` returned. */
export const resultsPrefix = (runId: string, step: string): string => `runs/${runId}/${step}/results`;

/** Name of the framework's own store, which holds what belongs to one run: item lists, checkpoints, search results. */
export const RUNS_STORE = 'runs';
