import { ChangeMessageVisibilityCommand, DeleteMessageCommand } from '@aws-sdk/client-sqs';
import type { Context as LambdaContext, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  type Draft,
  deterministicId,
  type Event,
  HeadraceError,
  NonRetriable,
  openEvent,
  toEnvelope,
} from '../contract';
import { type DraftFor, ENV, type EventFor, type Module, type StoreAccess } from '../module';
import { backoffSeconds } from './backoff';
import { dynamodb, sqs } from './clients';
import { type Context, contextFor, logger } from './context';
import { type ParkReason, park } from './dead-letter';
import { declaredOnly } from './declared';
import { type Lease, Ledger } from './ledger';
import { countDeliveries, type Verdict } from './metrics';
import { sendOutbox } from './outbox';
import { setting } from './setting';
import { answerUrl, isUrlRequest, type UrlAnswer, type UrlLogic, type UrlRequest } from './url';

type AnyModule = Module<never, never, StoreAccess> | Module;

type StoresDeclared<M> = M extends { readonly stores: infer S extends StoreAccess } ? S : StoreAccess;

/** A module's logic: from an event to the facts that follow from it. */
export type Logic<M> = (event: EventFor<M>, context: Context<StoresDeclared<M>>) => Promise<readonly DraftFor<M>[]>;

export type Handler = (event: SQSEvent | UrlRequest, lambda: LambdaContext) => Promise<SQSBatchResponse | UrlAnswer>;

/** Milliseconds a lease outlives its invocation. */
const LEASE_MARGIN_MS = 1_000;

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
    const started = Date.now();
    const deliveries = event.Records.map((record) => ({
      module: any,
      logic: logic as unknown as AnyLogic,
      record,
      lambda,
    }));
    const verdicts = verdictsOf(await handleAll(deliveries));
    countDeliveries(any.name, verdicts, Date.now() - started);
    const failed = event.Records.filter((_, i) => ['Retried', 'Busy', 'Fenced'].includes(verdicts[i] ?? ''));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/**
 * A delivery around which AWS itself failed comes back when its visibility ends; its siblings count as they went.
 * If that happened to all of them, the invocation fails, and the alarm on failing functions sees it.
 */
function verdictsOf(settled: readonly PromiseSettledResult<Verdict>[]): Verdict[] {
  const broken = settled.filter((each) => each.status === 'rejected');
  if (broken[0] && broken.length === settled.length) throw broken[0].reason;
  for (const { reason } of broken) logger.error('failed around the message, will be retried', reason as Error);
  return settled.map((each) => (each.status === 'fulfilled' ? each.value : 'Retried'));
}

type AnyLogic = (event: Event, context: Context) => Promise<readonly Draft[]>;

interface Delivery {
  readonly module: Module;
  readonly logic: AnyLogic;
  readonly record: SQSRecord;
  readonly lambda: LambdaContext;
}

/** Whom a worker died over: there may be one among them that killed it. */
interface Suspect {
  readonly suspect: Delivery;
  /** Attempts so far. */
  readonly attempts: number;
}

type Settled<T> = PromiseSettledResult<T>;

async function handleAll(deliveries: readonly Delivery[]): Promise<Settled<Verdict>[]> {
  const settled: Settled<Verdict | Suspect>[] = await Promise.allSettled(
    deliveries.map((delivery) => handleRecord(delivery, { leaveAbandoned: true })),
  );
  const suspects = settled.flatMap((each) =>
    each.status === 'fulfilled' && typeof each.value === 'object' ? [each.value] : [],
  );
  // Whoever has died more often comes later: the innocent get through before the next death.
  suspects.sort((a, b) => a.attempts - b.attempts);
  const judged = new Map<Delivery, Settled<Verdict>>();
  const alone = suspects.length === deliveries.length;
  for (const [i, { suspect }] of suspects.entries()) {
    const [result] = await Promise.allSettled([
      (alone && i === 0) || hasTime(suspect)
        ? handleRecord(suspect, { leaveAbandoned: false })
        : later(suspect, 'Busy', 1),
    ]);
    judged.set(suspect, result as Settled<Verdict>);
  }
  return deliveries.map((delivery, i) => judged.get(delivery) ?? (settled[i] as Settled<Verdict>));
}

/** Whether at least half of the time is left: who starts too late would be taken for one that hangs. */
function hasTime({ module, lambda }: Delivery): boolean {
  return lambda.getRemainingTimeInMillis() >= (module.timeoutSeconds * 1000) / 2;
}

async function handleRecord(
  delivery: Delivery,
  { leaveAbandoned }: { readonly leaveAbandoned: boolean },
): Promise<Verdict | Suspect> {
  const { module, record, lambda } = delivery;
  let event: Event;
  try {
    event = openEvent(
      parseJson(record.body),
      module.on.map(({ listenable }) => listenable),
    );
    refuseLoop(event);
  } catch (error) {
    return giveUp(delivery, error, { reason: 'poison', attempts: 1 });
  }
  const ledger = new Ledger(dynamodb(), setting(ENV.ledger));
  const acquired = await ledger.acquire(module.name, event.id, {
    leaseMs: lambda.getRemainingTimeInMillis() + LEASE_MARGIN_MS,
    leaveAbandoned,
  });
  if (acquired.state === 'abandoned') return { suspect: delivery, attempts: acquired.attempts };
  if (acquired.state === 'busy') return later(delivery, 'Busy', acquired.retryAfterSeconds);
  if (acquired.state === 'done') {
    if (!acquired.done.sent)
      await sendOutbox({ ledger, consumer: module.name, workId: event.id }, acquired.done.outbox);
    return 'Duplicate';
  }
  if (acquired.lease.attempts > module.retry.attempts)
    return giveUpCrashed(delivery, { ledger, lease: acquired.lease });
  return work(delivery, event, { ledger, lease: acquired.lease });
}

interface Holding {
  readonly ledger: Ledger;
  readonly lease: Lease;
}

async function work(delivery: Delivery, event: Event, { ledger, lease }: Holding): Promise<Verdict> {
  const { module, logic, lambda } = delivery;
  const tags = { correlationId: event.correlationId, eventId: event.id, eventType: event.type };
  const context = contextFor({ name: module.name, stores: module.stores, lease, ledger, lambda, tags });
  try {
    const drafts = declaredOnly(module, await logic(event, context));
    const time = new Date();
    const outbox = drafts.map((draft, index) =>
      toEnvelope(draft, { id: deterministicId(module.name, event.id, index), time, cause: event }),
    );
    await ledger.commit(lease, outbox);
    await sendOutbox({ ledger, consumer: module.name, workId: event.id }, outbox);
    context.log.info('handled', { emitted: outbox.map(({ type }) => type) });
    return 'Handled';
  } catch (error) {
    if (error instanceof HeadraceError && error.code === 'HR305') {
      context.log.warn('fenced off by another worker');
      return 'Fenced';
    }
    const reason = whyToPark(error, lease.attempts, module.retry.attempts);
    context.log.error(reason ? `dead-lettered: ${reason}` : 'failed, will be retried', error as Error);
    await ledger.release(lease, { forgetAttempts: reason !== undefined }).catch(ignoreLostLease);
    if (reason) return giveUp(delivery, error, { reason, attempts: lease.attempts });
    return later(delivery, 'Retried', backoffSeconds(module.retry, lease.attempts));
  }
}

/** Every attempt took the lease and none came back to give it up: the function died over this event. */
async function giveUpCrashed(delivery: Delivery, { ledger, lease }: Holding): Promise<Verdict> {
  const attempts = lease.attempts - 1;
  const error = new Error(
    `the function ended ${attempts} times in the middle of this event: a crash, a time-out or no memory`,
  );
  await ledger.release(lease, { forgetAttempts: true }).catch(ignoreLostLease);
  return giveUp(delivery, error, { reason: 'attempts', attempts });
}

/** Codes that no retry can mend: the input or the module itself is wrong. */
const HOPELESS = ['HR102', 'HR104', 'HR302', 'HR307', 'HR308'];

function whyToPark(error: unknown, attempts: number, allowed: number): ParkReason | undefined {
  if (error instanceof NonRetriable) return 'poison';
  if (error instanceof HeadraceError && HOPELESS.includes(error.code)) return 'poison';
  return attempts >= allowed ? 'attempts' : undefined;
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof HeadraceError && error.code === 'HR305')) throw error;
}

async function giveUp(
  { module, record }: Delivery,
  error: unknown,
  { reason, attempts }: { reason: ParkReason; attempts: number },
): Promise<Verdict> {
  await park(sqs(), {
    queueUrl: setting(ENV.deadLetterQueueUrl),
    body: record.body,
    module: module.name,
    error,
    reason,
    attempts,
    firstReceived: Number(record.attributes.ApproximateFirstReceiveTimestamp),
    codeVersion: process.env[ENV.codeVersion] ?? 'unknown',
  });
  // At once, or it would be parked again should a sibling take the function down. AWS deletes it too, in the end.
  const done = new DeleteMessageCommand({ QueueUrl: setting(ENV.queueUrl), ReceiptHandle: record.receiptHandle });
  await sqs()
    .send(done)
    .catch(() => undefined);
  return 'DeadLettered';
}

async function later({ record }: Delivery, verdict: Verdict, seconds: number): Promise<Verdict> {
  await sqs().send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: setting(ENV.queueUrl),
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: seconds,
    }),
  );
  return verdict;
}

/** Longest chain of events, each caused by the one before. No work needs so many; modules in a circle would go on for ever. */
const MAX_HOPS = 50;

function refuseLoop({ hops, correlationId }: Event): void {
  if (hops <= MAX_HOPS) return;
  throw new HeadraceError('HR309', {
    what: `The event stands at the end of a chain of ${hops} others, which began with ${correlationId}.`,
    allowed: `up to ${MAX_HOPS}`,
    next: 'Break the circle in which modules feed each other: npx headrace graph shows it.',
  });
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new HeadraceError('HR103', {
      what: `The message is not JSON: ${(error as Error).message}.`,
      next: 'Send events with `publish` or `npx headrace publish`, which check them first.',
    });
  }
}
