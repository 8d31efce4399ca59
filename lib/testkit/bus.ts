import { type Envelope, openEvent, type Sequence } from '../contract';
import { passes, ruleFor } from '../module';
import { labelOf } from './record';
import type { BusEvent, Inbox, World } from './world';

/** Longest that a message is held up while others overtake it, milliseconds. */
const HELD_UP_MS = 120_000;
const HOUR_MS = 3_600_000;

/** An entry of PutEvents, accepted: brings it to everybody who listens. */
export function accept(world: World, who: string, entry: { readonly Detail?: string | undefined }): void {
  const envelope = JSON.parse(entry.Detail ?? '') as Envelope;
  world.monitor.accepted(who, envelope);
  const id = world.dice.id(world.faults.occasion(`bus|${envelope.id}`));
  const { source, type, time } = envelope;
  route(world, { version: '0', id, source, 'detail-type': type, time, detail: envelope });
}

/** S3 tells the account's bus that an object was written. */
export function announce(world: World, store: string, object: { readonly key: string }): void {
  const id = world.dice.id(world.faults.occasion(`created|${store}/${object.key}`));
  world.tell('s3', `has a new ${object.key} in ${store}: ${labelOf('s3.object-created', id)}`);
  const detail = { version: '0', bucket: { name: store }, object, reason: 'PutObject' };
  const time = new Date(world.schedule.now).toISOString();
  route(world, { version: '0', id, source: 'aws.s3', 'detail-type': 'Object Created', time, detail });
}

function route(world: World, event: BusEvent): void {
  let body: string | undefined;
  for (const inbox of world.inboxes.values()) {
    inbox.plans ??= inbox.module.on.map((entry) => ruleFor(entry, [...world.contracts]));
    for (const plan of inbox.plans) {
      if (!passes(plan, event, (store) => store)) continue;
      body ??= JSON.stringify(event);
      deliver(world, inbox, { event, body });
    }
  }
}

/** What the ledger knows an event by: the id of its envelope, where it has one. */
export const workIdOf = ({ id, detail }: BusEvent): string => (detail as Partial<Envelope>).id ?? id;

/** Puts an event into a queue: at least once, some time. */
function deliver(world: World, inbox: Inbox, { event, body }: { event: BusEvent; body: string }): void {
  const { faults, dice, monitor } = world;
  const { module, watched, queue } = inbox;
  const workId = workIdOf(event);
  const label = labelOf(event.source === 'aws.s3' ? 's3.object-created' : event['detail-type'], workId);
  const sequence = module.ordered ? sequenceOf(event, inbox) : undefined;
  monitor.expect(module, { workId, label, watched, ...(sequence && { sequence }) });
  const occasion = faults.occasion(`to|${module.name}|${workId}`);
  const send = (copy: number, ms: number) =>
    world.schedule.in(ms, () => queue.send({ id: dice.id(`message|${occasion}|${copy}`), body, workId, label }));
  const heldUp = faults.strikes('reorder', occasion) ? dice.between(`held|${occasion}`, 1_000, HELD_UP_MS) : 0;
  if (heldUp > 0) world.tell(module.name, `gets ${label} ${heldUp} ms late`, true);
  send(0, heldUp + dice.between(`travel|${occasion}`, 5, 60));
  const copies = faults.strikes('duplicate', occasion) ? dice.between(`copies|${occasion}`, 1, 4) : 0;
  if (copies > 0) world.tell(module.name, `gets ${label} ${copies + 1} times`, true);
  for (let copy = 1; copy <= copies; copy++) send(copy, dice.between(`copy|${occasion}|${copy}`, 5, 30_000));
  if (!faults.strikes('late', occasion)) return;
  world.tell(module.name, `will get ${label} once more, hours later`, true);
  send(9, dice.between(`late|${occasion}`, HOUR_MS, 6 * HOUR_MS));
}

function sequenceOf(event: BusEvent, { module }: Inbox): Sequence | undefined {
  try {
    return openEvent(
      event,
      module.on.map(({ listenable }) => listenable),
    ).sequence;
  } catch {
    // Its module refuses it too.
    return undefined;
  }
}
