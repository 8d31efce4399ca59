import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type Cause, type Draft, type Envelope, HeadraceError, LIMITS, toEnvelope } from '../contract';
import { backoffSeconds } from './backoff';
import { platform } from './platform';
import { refuseOld } from './refuse';
import { keepOnly, type LeftAlone, readSpool, writePage } from './spool';
import { isTransient } from './transient';

const MAX_ENTRIES = LIMITS.requestEntries.value;
/** Bytes of one PutEvents request (EventBridge quota: 1 MB since 2026-01-29), less room for the entries' other fields. */
const MAX_REQUEST_BYTES = 1_000_000;
const ATTEMPTS = 6;
const RETRY = { attempts: ATTEMPTS, firstDelaySeconds: 1, factor: 2, maxDelaySeconds: 8 };

export interface PublisherOptions {
  readonly client: EventBridgeClient;
  readonly bus: string;
  /** Waits before a retry, milliseconds. @default - real time */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Told what the bus accepted, request by request. */
  readonly onAccepted?: (envelopes: readonly Envelope[]) => void;
}

/**
 * Puts envelopes on the bus, ten a request. Entries the bus refuses are sent again, only those, with backoff and jitter.
 *
 * @throws HeadraceError HR303 naming every event that was still not accepted at the end
 */
export async function putEvents(envelopes: readonly Envelope[], options: PublisherOptions): Promise<void> {
  const { client, bus, wait = platform().sleep, onAccepted = () => undefined } = options;
  let waiting = envelopes;
  let failure = '';
  for (let attempt = 1; waiting.length > 0; attempt++) {
    const refused: Envelope[] = [];
    for (const batch of batches(waiting)) {
      const result = await send(client, batch, bus);
      refused.push(...result.refused);
      onAccepted(batch.filter((each) => !result.refused.includes(each)));
      failure = result.failure || failure;
    }
    if (refused.length > 0 && attempt >= ATTEMPTS) {
      throw new HeadraceError('HR303', {
        what: `${refused.length} of ${envelopes.length} events were not accepted by the bus ${bus} (${failure}).`,
        got: refused.map(({ type, id }) => `${type} ${id}`).join(', '),
        next: 'Publish the named events again: their ids stay the same, so nothing is doubled.',
      });
    }
    waiting = refused;
    if (waiting.length > 0) await wait(backoffSeconds(RETRY, attempt) * 1000);
  }
}

async function send(client: EventBridgeClient, batch: readonly Envelope[], bus: string) {
  try {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({ Entries: batch.map((each) => entry(each, bus)) }),
    );
    const refused = batch.filter((_, i) => Entries[i]?.ErrorCode !== undefined);
    const failure = Entries.find(({ ErrorCode }) => ErrorCode);
    return { refused, failure: failure ? `${failure.ErrorCode}: ${failure.ErrorMessage}` : '' };
  } catch (error) {
    if (!isTransient(error)) throw error;
    return { refused: batch, failure: (error as Error).message };
  }
}

function entry(envelope: Envelope, bus: string): PutEventsRequestEntry {
  return {
    EventBusName: bus,
    Source: envelope.source,
    DetailType: envelope.type,
    Time: new Date(envelope.time),
    Detail: JSON.stringify(envelope),
  };
}

function batches(envelopes: readonly Envelope[]): Envelope[][] {
  const all: Envelope[][] = [];
  let bytes = 0;
  for (const envelope of envelopes) {
    const size = Buffer.byteLength(JSON.stringify(envelope)) + 256;
    const last = all.at(-1);
    if (!last || last.length === MAX_ENTRIES || bytes + size > MAX_REQUEST_BYTES) {
      all.push([envelope]);
      bytes = size;
    } else {
      last.push(envelope);
      bytes += size;
    }
  }
  return all;
}

export interface PublishOptions extends PublisherOptions {
  /** The event these follow from. @default - they start a chain of their own */
  readonly cause?: Cause;
  /** @default - now */
  readonly time?: Date;
  /**
   * A folder in which the events are kept until the bus has accepted them, so that a publisher that crashes, or that the
   * bus refuses for long, loses none: {@link sendSpooled} sends what was left. One for each pipeline.
   *
   * @default - they are kept nowhere
   */
  readonly spool?: string;
}

/**
 * Publishes facts from outside a module. Inside a module, return them instead.
 *
 * @returns the envelopes sent, with their ids
 * @throws HeadraceError HR303 naming every event that was not accepted; HR322 when the spool can't be written
 */
export async function publish(drafts: readonly Draft[], options: PublishOptions): Promise<readonly Envelope[]> {
  const { cause, time = new Date(platform().now()) } = options;
  refuseOld({ time: time.toISOString() });
  const envelopes = drafts.map((draft) => toEnvelope(draft, { id: platform().uuid(), time, ...(cause && { cause }) }));
  const { spool, bus } = options;
  if (spool === undefined || envelopes.length === 0) await putEvents(envelopes, options);
  else await putSpooled({ file: await writePage(spool, { bus, events: envelopes }), events: envelopes }, options);
  return envelopes;
}

/** What {@link sendSpooled} did. */
export interface SpoolReport {
  /** Events that the bus accepted. */
  readonly sent: number;
  /** Files that were left alone, and why. None is ever deleted. */
  readonly left: readonly LeftAlone[];
}

/**
 * Sends what an earlier process left in a spool, in the order in which it was published, under the same ids: what had
 * been accepted before is dropped as a duplicate by those who hear it.
 *
 * @throws HeadraceError HR303 when the bus does not accept some of it, which stays in the spool
 */
export async function sendSpooled(folder: string, options: PublisherOptions): Promise<SpoolReport> {
  const { waiting, left } = await readSpool(folder, options.bus);
  for (const page of waiting) await putSpooled(page, options);
  return { sent: waiting.reduce((sum, { events }) => sum + events.length, 0), left };
}

interface SpooledPage {
  readonly file: string;
  readonly events: readonly Envelope[];
}

async function putSpooled({ file, events }: SpooledPage, options: PublisherOptions): Promise<void> {
  const { bus } = options;
  const accepted = new Set<Envelope>();
  const onAccepted = (envelopes: readonly Envelope[]) => {
    for (const each of envelopes) accepted.add(each);
    options.onAccepted?.(envelopes);
  };
  try {
    await putEvents(events, { ...options, onAccepted });
  } catch (error) {
    await keepOnly(file, { bus, events: events.filter((each) => !accepted.has(each)) });
    if (!(error instanceof HeadraceError)) throw error;
    const next = 'They are kept in the spool, and sent from there next time: npx headrace publish --spool.';
    throw new HeadraceError(error.code, { ...error.details, next });
  }
  await keepOnly(file, { bus, events: [] });
}
