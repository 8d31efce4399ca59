import { deterministicId, type Envelope, HeadraceError, NonRetriable, toEnvelope } from '../contract';
import { backoffSeconds } from './backoff';
import { contextFor } from './context';
import type { ParkReason } from './dead-letter';
import { declaredOnly } from './declared';
import { type Delivery, giveUp, hide, later, mayEmit, type Opened, receivesOf } from './delivery';
import type { Lease } from './lease';
import { isLostLease, type Ledger } from './ledger';
import type { Verdict } from './metrics';
import { sendOutbox } from './outbox';
import { type Log, platform } from './platform';
import { keep } from './tenure';
import { isTransient } from './transient';

/** What is worked on, and by which right. */
export interface Held {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly opened: Opened;
}

/** One attempt: the logic, the commit, and what becomes of a failure. */
export async function work(delivery: Delivery, held: Held): Promise<Verdict> {
  const { module, lambda, record } = delivery;
  const { ledger, lease, opened } = held;
  const { event, replay } = opened;
  const before = replay?.again ? await ledger.effectsOf(module.name, event.id) : {};
  const tenure = keep({ ledger, lease, module, lambda, hide: (seconds) => hide(record, seconds) });
  const tags = { correlationId: event.correlationId, eventId: event.id, eventType: event.type };
  const context = contextFor({
    name: module.name,
    stores: module.stores,
    // What an earlier handling did, a repeated one does not do again.
    lease: { ...lease, once: { ...before, ...lease.once } },
    effectKey: `${module.name}#${event.id}`,
    ledger,
    lambda,
    signal: tenure.signal,
    cause: event,
    tags,
  });
  let outbox: readonly Envelope[];
  try {
    const drafts = declaredOnly(module, await delivery.logic(event, context));
    const time = new Date(platform().now());
    outbox = drafts.map((draft, index) =>
      toEnvelope(draft, { id: deterministicId(module.name, opened.workId, index), time, cause: event }),
    );
    await ledger.commit(lease, outbox, replay && !mayEmit(replay) ? { fenced: replay.name } : {});
  } catch (error) {
    return await failed(delivery, held, { error, log: context.log });
  } finally {
    tenure.end();
  }
  if (!mayEmit(replay)) {
    context.log.info('handled for a replay', { kept: outbox.map(({ type }) => type) });
    return 'Handled';
  }
  return send(delivery, held, { outbox, log: context.log });
}

interface Committed {
  readonly outbox: readonly Envelope[];
  readonly log: Log;
}

/** The work is done whatever happens here: the next delivery sends what did not get out. */
async function send(delivery: Delivery, { ledger, opened }: Held, { outbox, log }: Committed): Promise<Verdict> {
  try {
    await sendOutbox({ ledger, consumer: delivery.module.name, workId: opened.workId }, outbox);
  } catch (error) {
    log.error('handled, and its events are still to be sent', error as Error);
    return later(delivery, 'Retried', backoffSeconds(delivery.module.retry, receivesOf(delivery)));
  }
  log.info('handled', { emitted: outbox.map(({ type }) => type) });
  return 'Handled';
}

interface Failure {
  readonly error: unknown;
  readonly log: Log;
}

async function failed(delivery: Delivery, { ledger, lease }: Held, { error, log }: Failure): Promise<Verdict> {
  const { retry } = delivery.module;
  if (isLostLease(error)) {
    log.warn('fenced off by another worker');
    return 'Fenced';
  }
  if (isTransient(error)) {
    log.warn('AWS could not serve it just now, will be retried', error as Error);
    // It is not the event's failure, and counts as no attempt; the queue's limit of receives ends it some day.
    await ledger.release(lease, lease.attempts - 1).catch(() => undefined);
    return later(delivery, 'Retried', backoffSeconds(retry, receivesOf(delivery)));
  }
  const reason = whyToPark(error, lease.attempts, retry.attempts);
  log.error(reason ? `dead-lettered: ${reason}` : 'failed, will be retried', error as Error);
  if (!reason) {
    // Should the release fail, the lease runs out.
    await ledger.release(lease).catch(() => undefined);
    return later(delivery, 'Retried', backoffSeconds(retry, lease.attempts));
  }
  try {
    await ledger.giveUp(lease);
  } catch (lost) {
    if (isLostLease(lost)) return 'Fenced';
    throw lost;
  }
  return giveUp(delivery, error, { reason, attempts: lease.attempts });
}

/** Codes that no retry can mend: the input or the module itself is wrong. */
const HOPELESS = ['HR102', 'HR104', 'HR302', 'HR307', 'HR308', 'HR330'];

function whyToPark(error: unknown, attempts: number, allowed: number): ParkReason | undefined {
  if (error instanceof NonRetriable) return 'poison';
  if (error instanceof HeadraceError && HOPELESS.includes(error.code)) return 'poison';
  return attempts >= allowed ? 'attempts' : undefined;
}
