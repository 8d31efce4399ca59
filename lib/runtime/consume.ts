import type { Context as LambdaContext, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { DraftFor, EventFor, Module, StoreAccess } from '../module';
import { backoffSeconds } from './backoff';
import type { Context } from './context';
import { type AnyLogic, type Delivery, later, open, receivesOf } from './delivery';
import { handle, type Suspect } from './handle';
import type { Verdict } from './metrics';
import { platform } from './platform';
import { holdBatch } from './tenure';
import { answerUrl, isUrlRequest, type UrlAnswer, type UrlLogic, type UrlRequest } from './url';

type AnyModule = Module<never, never, StoreAccess> | Module;

type StoresDeclared<M> = M extends { readonly stores: infer S extends StoreAccess } ? S : StoreAccess;

/** A module's logic: from an event to the facts that follow from it. */
export type Logic<M> = (event: EventFor<M>, context: Context<StoresDeclared<M>>) => Promise<readonly DraftFor<M>[]>;

export type Handler = (event: SQSEvent | UrlRequest, lambda: LambdaContext) => Promise<SQSBatchResponse | UrlAnswer>;

/** What has to be delivered again. */
const UNFINISHED: readonly Verdict[] = ['Retried', 'Busy', 'Fenced', 'Waiting'];

/**
 * Makes a Lambda handler of a module's logic. For each message of a batch it opens and checks the event, takes the
 * ledger's lease, calls the logic, commits the outcome with the events to send, and sends them. Messages fail one by
 * one: what cannot be mended goes to the dead letter queue at once, the rest is retried with backoff. What was in hand
 * when the function died is done last and one by one, so that an event which kills its function takes no other along.
 */
export function consume<M extends Module<never, never, never> | Module>(
  module: M,
  logic: Logic<M>,
  url?: UrlLogic<StoresDeclared<M>>,
): Handler {
  const any = module as AnyModule as Module;
  return async (event, lambda) => {
    if (isUrlRequest(event)) return answerUrl(any, url as UrlLogic<StoreAccess> | undefined, event);
    const started = platform().now();
    const held = holdBatch(event.Records, any, lambda);
    const batch = event.Records.map(
      (record): Delivery => ({
        module: any,
        logic: logic as unknown as AnyLogic,
        record,
        lambda,
        content: open(any, record),
        held,
      }),
    );
    const verdicts = await settle(batch, await handleAll(batch));
    await held;
    platform().count(any.name, verdicts, platform().now() - started);
    const failed = event.Records.filter((_, i) => UNFINISHED.includes(verdicts[i] as Verdict));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

type Settled<T> = PromiseSettledResult<T>;

/**
 * A delivery around which AWS itself failed is retried with backoff; its siblings count as they went. If that happened
 * to all of them, the invocation fails, and the alarm on failing functions sees it.
 */
async function settle(batch: readonly Delivery[], settled: readonly Settled<Verdict>[]): Promise<Verdict[]> {
  const verdicts = await Promise.all(
    settled.map((each, i) => (each.status === 'fulfilled' ? each.value : putOff(batch[i] as Delivery, each.reason))),
  );
  const [first] = settled;
  if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason;
  return verdicts;
}

function putOff(delivery: Delivery, error: unknown): Promise<Verdict> {
  const { name, retry } = delivery.module;
  platform()
    .log(name, {})
    .error('failed around the message, will be retried', error as Error);
  return later(delivery, 'Retried', backoffSeconds(retry, receivesOf(delivery)));
}

async function handleAll(batch: readonly Delivery[]): Promise<Settled<Verdict>[]> {
  const settled = new Map<Delivery, Settled<Verdict | Suspect>>();
  const first = { leaveAbandoned: true, inCompany: batch.length > 1 };
  await Promise.all(
    lanesOf(batch).map(async (lane) => {
      for (const delivery of lane) settled.set(delivery, await settling(handle(delivery, first)));
    }),
  );
  const suspects = [...settled.values()].flatMap((each) =>
    each.status === 'fulfilled' && typeof each.value === 'object' ? [each.value] : [],
  );
  // Whoever has died more often comes later: the innocent get through before the next death.
  suspects.sort((a, b) => a.attempts - b.attempts);
  const alone = suspects.length === batch.length;
  for (const [i, { suspect }] of suspects.entries()) {
    const judged =
      (alone && i === 0) || hasTime(suspect)
        ? handle(suspect, { leaveAbandoned: false, inCompany: false })
        : later(suspect, 'Busy', 1);
    settled.set(suspect, await settling(judged));
  }
  return batch.map((delivery) => settled.get(delivery) as Settled<Verdict>);
}

const settling = async <T>(promise: Promise<T>): Promise<Settled<T>> =>
  (await Promise.allSettled([promise]))[0] as Settled<T>;

/** What is handled one after another, in order; the lanes go side by side. Only an ordered module has lanes of several. */
function lanesOf(batch: readonly Delivery[]): Delivery[][] {
  const lanes = new Map<unknown, Delivery[]>();
  for (const delivery of batch) {
    const lane = placeOf(delivery)?.scope ?? delivery;
    lanes.set(lane, [...(lanes.get(lane) ?? []), delivery]);
  }
  for (const lane of lanes.values()) lane.sort(bySequence);
  return [...lanes.values()];
}

const placeOf = ({ module, content }: Delivery) =>
  module.ordered && 'event' in content ? content.event.sequence : undefined;

function bySequence(a: Delivery, b: Delivery): number {
  const [before, after] = [placeOf(a)?.value ?? 0, placeOf(b)?.value ?? 0];
  if (before === after) return 0;
  return before < after ? -1 : 1;
}

/** Whether at least half of the time is left: who starts too late would be taken for one that hangs. */
function hasTime({ module, lambda }: Delivery): boolean {
  return lambda.getRemainingTimeInMillis() >= (module.timeoutSeconds * 1000) / 2;
}
