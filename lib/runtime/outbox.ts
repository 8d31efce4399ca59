import type { Envelope } from '../contract';
import { ENV } from '../module';
import { eventbridge } from './clients';
import type { Ledger } from './ledger';
import { putEvents } from './publish';
import { setting } from './setting';

/** What the events of an outbox belong to. */
export interface OutboxOwner {
  readonly ledger: Ledger;
  readonly consumer: string;
  readonly workId: string;
}

/** Sends committed events and notes that they reached the bus. Repeating it sends the same ids again. */
export async function sendOutbox(
  { ledger, consumer, workId }: OutboxOwner,
  outbox: readonly Envelope[],
): Promise<void> {
  if (outbox.length === 0) return;
  await putEvents(outbox, { client: eventbridge(), bus: setting(ENV.bus) });
  await ledger.markSent(consumer, workId);
}
