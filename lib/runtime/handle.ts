import { type Event, HeadraceError } from '../contract';
import { ENV } from '../module';
import { adoptChain } from './chain';
import { dynamodb } from './clients';
import { type Delivery, giveUp, later, mayEmit, type Opened, receivesOf } from './delivery';
import { isLostLease, Ledger } from './ledger';
import type { Verdict } from './metrics';
import { Order, type Turn } from './order';
import { sendOutbox } from './outbox';
import { platform } from './platform';
import { refuseLoop, refuseOld, refuseUnplaced } from './refuse';
import { setting } from './setting';
import { leaseMs } from './tenure';
import { type Held, work } from './work';

/** A message whose worker died over it: it may be what killed it. */
export interface Suspect {
  readonly suspect: Delivery;
  /** Attempts so far. */
  readonly attempts: number;
}

export interface HandleOptions {
  /** Leave what a worker died over for later. */
  readonly leaveAbandoned: boolean;
  /** Others are handled at the same time in the same process. */
  readonly inCompany: boolean;
}

/** Handles one message, from the lease to the answer. */
export async function handle(delivery: Delivery, options: HandleOptions): Promise<Verdict | Suspect> {
  const { module, content } = delivery;
  if ('error' in content) return giveUp(delivery, content.error, { reason: 'poison', attempts: 1 });
  let event: Event;
  try {
    refuseOld(content.event);
    event = await adoptChain(module, content.event);
    refuseLoop(event);
    if (module.ordered) refuseUnplaced(module, event);
  } catch (error) {
    if (!(error instanceof HeadraceError)) throw error;
    return giveUp(delivery, error, { reason: 'poison', attempts: 1 });
  }
  const opened = { ...content, event };
  // A replay that handles events again keeps their order itself, and may begin anywhere.
  if (!module.ordered || content.replay?.again) return lease(delivery, opened, options);
  return inOrder(delivery, opened, options);
}

/** Longest time without any event of the subject handled, milliseconds; then one that waits for another is parked. */
const PATIENCE_MS = 3600_000;

/** Longest wait between two looks whether it is an event's turn, seconds. */
const MAX_LOOK_SECONDS = 60;

/**
 * Seconds until the next look, jittered: soon when the event is among the next, later when many are before it, and ever
 * later while nothing moves. In an hour without any movement that is some 200 looks, of 1,000 receives that a queue allows.
 */
function lookAgainSeconds(before: number, idleMs: number): number {
  const ceiling = Math.min(MAX_LOOK_SECONDS, Math.max(before / 5, idleMs / 8_000));
  return Math.max(1, Math.ceil(platform().random() * ceiling));
}

async function inOrder(delivery: Delivery, opened: Opened, options: HandleOptions): Promise<Verdict | Suspect> {
  const { module, lambda, record } = delivery;
  const order = new Order(dynamodb(), setting(ENV.ledger));
  const { sequence } = opened.event;
  if (!sequence) throw new Error('an event without a place was refused before');
  const turn: Turn = { consumer: module.name, sequence, workId: opened.workId };
  const entered = await order.enter(turn, leaseMs(module, lambda));
  if (entered.state === 'early' || entered.state === 'busy') {
    const first = Number(record.attributes.ApproximateFirstReceiveTimestamp);
    const idle = platform().now() - Math.max(first, entered.movedAt);
    if (entered.state === 'early' && idle > PATIENCE_MS) {
      return giveUp(delivery, missing(opened.event), { reason: 'attempts', attempts: receivesOf(delivery) });
    }
    return later(delivery, 'Waiting', lookAgainSeconds(entered.before, idle));
  }
  const verdict = await lease(delivery, { ...opened, passed: entered.state === 'passed' }, options);
  const finished = FINISHED.includes(verdict);
  const advanced = finished && (await order.advance(turn));
  // Otherwise the turn stays the event's own: it comes back, another worker is at it, or it is done and nobody knows yet.
  if (verdict === 'DeadLettered' || (finished && !advanced)) await order.leave(turn);
  return verdict;
}

/** What lets the next event of the subject through. */
const FINISHED: readonly (Verdict | Suspect)[] = ['Handled', 'Duplicate', 'Stale'];

function missing({ sequence, subject }: Event): HeadraceError {
  return new HeadraceError('HR320', {
    what: `The event before this one of ${subject} did not come within ${PATIENCE_MS / 60_000} minutes.`,
    got: sequence?.value,
    next: 'Look for it with npx headrace dlq list, or give the module its history with npx headrace replay --only; then redrive this one.',
  });
}

/** Takes the lease, and works if it is to be had. */
async function lease(
  delivery: Delivery,
  opened: Opened & { readonly passed?: boolean },
  { leaveAbandoned, inCompany }: HandleOptions,
): Promise<Verdict | Suspect> {
  const { module, lambda } = delivery;
  const { event, workId, passed = false } = opened;
  const ledger = new Ledger(dynamodb(), setting(ENV.ledger));
  const acquired = await ledger.acquire(module.name, workId, {
    leaseMs: leaseMs(module, lambda),
    leaveAbandoned,
    inCompany,
    bornAt: Date.parse(event.time),
  });
  if (acquired.state === 'abandoned') return { suspect: delivery, attempts: acquired.attempts };
  if (acquired.state === 'busy') return later(delivery, 'Busy', acquired.retryAfterSeconds);
  if (acquired.state === 'done') {
    const { outbox, sent } = acquired.done;
    // What a replay kept from the bus goes out with the first delivery that may emit.
    if (!sent && mayEmit(opened.replay)) await sendOutbox({ ledger, consumer: module.name, workId }, outbox);
    return 'Duplicate';
  }
  const held: Held = { ledger, lease: acquired.lease, opened };
  if (passed) return passOver(delivery, held);
  if (acquired.lease.attempts > module.retry.attempts) return giveUpCrashed(delivery, held);
  return work(delivery, held);
}

/**
 * A later event of the same object has been handled: this one has nothing to say any more. Where places are counted
 * that can't be, since none is skipped: two events claim one place, and nobody but their producer knows which is right.
 */
async function passOver(delivery: Delivery, { ledger, lease, opened: { event } }: Held): Promise<Verdict> {
  if (typeof event.sequence?.value === 'string') {
    await ledger.commit(lease, []);
    return 'Stale';
  }
  await ledger.giveUp(lease).catch(ignoreLostLease);
  const error = new HeadraceError('HR321', {
    what: `Another event has this place among the events of ${event.subject}, and was handled.`,
    got: event.sequence?.value,
    allowed: 'a place of its own for each event of a subject',
    next: 'Correct the producer, or send the event with its own place: npx headrace dlq edit.',
  });
  return giveUp(delivery, error, { reason: 'poison', attempts: lease.attempts });
}

/** Every attempt took the lease and none came back to give it up: the function died over this event. */
async function giveUpCrashed(delivery: Delivery, { ledger, lease }: Held): Promise<Verdict> {
  const attempts = lease.attempts - 1;
  const error = new Error(
    `the function ended in the middle of this event, the last of ${attempts} attempts: a crash, a time-out or no memory`,
  );
  await ledger.giveUp(lease).catch(ignoreLostLease);
  return giveUp(delivery, error, { reason: 'attempts', attempts });
}

function ignoreLostLease(error: unknown): void {
  if (!isLostLease(error)) throw error;
}
