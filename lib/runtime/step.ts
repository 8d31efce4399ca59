import { createHash } from 'node:crypto';
import type { Context as LambdaContext } from 'aws-lambda';
import { type Cause, deterministicId, toEnvelope } from '../contract';
import {
  type DraftFor,
  ENV,
  itemsKey,
  RUNS_STORE,
  type Run,
  type Step,
  type StepInput,
  type StepOutput,
  type StoreAccess,
  stepInputSchema,
} from '../module';
import { dynamodb } from './clients';
import { type Context, contextFor, storesOf } from './context';
import { declaredOnly } from './declared';
import type { Lease } from './lease';
import { Ledger } from './ledger';
import { sendOutbox } from './outbox';
import { platform } from './platform';
import { setting } from './setting';
import { checkItems, checkOutcome } from './state-room';
import type { WritableStore } from './store';
import { tenureUntilEnd } from './tenure';

type StoresDeclared<S> = S extends { readonly stores: infer D extends StoreAccess } ? D : StoreAccess;

/** What a step's logic receives beside its input. */
export interface StepContext<Declared extends StoreAccess = StoreAccess> extends Context<Declared> {
  /** The framework's store for what belongs to one run; use {@link runKey} for its keys. */
  readonly runs: WritableStore;
}

export interface StepResult<S> extends StepOutput {
  /** Items for a later `forEach`; the runtime writes them where the state machine reads them. */
  readonly items?: readonly unknown[];
  /** Facts to emit. */
  readonly events?: readonly DraftFor<S>[];
}

/** A step's logic. It must be repeatable: the same input writes the same objects. */
export type StepLogic<S> = (input: StepInput, context: StepContext<StoresDeclared<S>>) => Promise<StepResult<S>>;

/** Key of an object that belongs to a run: `runs/<run id>/<name>`. */
export const runKey = (run: Run, name: string): string => `runs/${run.id}/${name}`;

/**
 * Makes a Lambda handler of a step's logic. Every (run, item, turn) is done once: a repeated call finds the recorded
 * outcome, sends what had not been sent, and returns. After a crash the state machine's retry takes the lease over at
 * once: it calls again only when the earlier invocation has ended.
 */
export function serveStep<S extends Step<never, never> | Step>(step: S, logic: StepLogic<S>) {
  const any = step as unknown as Step;
  return async (payload: unknown, lambda: LambdaContext): Promise<StepOutput> => {
    const input = stepInputSchema.parse(payload);
    const ledger = new Ledger(dynamodb(), setting(ENV.ledger));
    const workId = workIdOf(input);
    const acquired = await ledger.acquire(any.name, workId, {
      leaseMs: lambda.getRemainingTimeInMillis(),
      takeOver: true,
    });
    if (acquired.state === 'busy' || acquired.state === 'abandoned') {
      throw new Error('a lease that is taken over is free');
    }
    if (acquired.state === 'done') {
      const { outbox, sent, result } = acquired.done;
      if (!sent) await sendOutbox({ ledger, consumer: any.name, workId }, outbox);
      return { outcome: String(result) };
    }
    return work(
      { step: any, logic: logic as unknown as StepLogic<Step>, input, lambda, ledger, workId },
      acquired.lease,
    );
  };
}

interface Work {
  readonly step: Step;
  readonly logic: StepLogic<Step>;
  readonly input: StepInput;
  readonly lambda: LambdaContext;
  readonly ledger: Ledger;
  readonly workId: string;
}

async function work({ step, logic, input, lambda, ledger, workId }: Work, lease: Lease): Promise<StepOutput> {
  const { run } = input;
  const tags = { correlationId: run.event.correlationId, run: run.id };
  const cause = run.event as Cause;
  const tenure = tenureUntilEnd(lambda);
  const { name, stores } = step;
  const context = contextFor({ name, stores, lease, ledger, lambda, signal: tenure.signal, cause, tags });
  const runs = storesOf({ [RUNS_STORE]: 'write' }, cause)[RUNS_STORE];
  try {
    const { outcome, items, events = [] } = await logic(input, Object.assign(context, { runs }));
    checkOutcome(step.name, outcome);
    if (items) checkItems({ run, step: step.name, items });
    const time = new Date(platform().now());
    const outbox = declaredOnly(step, events).map((draft, index) =>
      toEnvelope(draft, { id: deterministicId(step.name, workId, index), time, cause }),
    );
    if (items) await runs.putJson(itemsKey(run.id, step.name), items);
    await ledger.commit(lease, outbox, { result: outcome });
    await sendOutbox({ ledger, consumer: step.name, workId }, outbox);
    context.log.info('step finished', { outcome, turn: input.turn, items: items?.length });
    return { outcome };
  } catch (error) {
    context.log.error('step failed', error as Error);
    await ledger.release(lease).catch(() => undefined);
    throw error;
  } finally {
    tenure.end();
  }
}

/** Identifies one call: the run, its item (by content) and its turn. */
function workIdOf({ run, item, turn }: StepInput): string {
  const part =
    item === undefined ? 'whole' : createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 16);
  return `${run.id}/${part}/${turn}`;
}
