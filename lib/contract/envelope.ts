import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { AwsEvent } from './aws-event';
import { HeadraceError } from './errors';
import { type AnyEvent, checkData, type DataOf, type DataSchema, type Draft, type EventContract } from './event';
import type { Family } from './family';
import { LIMITS } from './limits';

/**
 * Largest event we send, in bytes. An event is a fact with references; Step Functions still fails at 256 KiB of
 * state, so what may start a run has to stay below that.
 */
export const MAX_EVENT_BYTES = LIMITS.eventBytes.value;

/** Longest id, characters: with a consumer's name before it, it is a DynamoDB key, of which 2,048 bytes are allowed. */
const MAX_ID = 512;

/** CloudEvents 1.0 in JSON: what stands in `detail` on the bus. */
export const envelopeSchema = z.object({
  specversion: z.literal('1.0'),
  id: z.string().min(1).max(MAX_ID),
  source: z.string().min(1),
  type: z.string().min(1),
  time: z.iso.datetime(),
  subject: z.string(),
  dataschema: z.string().regex(/^urn:headrace:[a-z0-9.-]+:\d+$/),
  datacontenttype: z.literal('application/json'),
  correlationid: z.string().min(1),
  causationid: z.string().min(1).optional(),
  hops: z.number().int().nonnegative(),
  traceparent: z.string().optional(),
  /** The events before this one, oldest first: see {@link trailOf}. */
  trail: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

export type Envelope = z.output<typeof envelopeSchema>;

/** What a handler receives: the envelope with its data checked and typed. */
export interface Event<Type extends string = string, Data = unknown> {
  readonly id: string;
  readonly type: Type;
  readonly source: string;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The entity the event is about. */
  readonly subject: string;
  readonly version: number;
  /** Id of the first event of the chain. */
  readonly correlationId: string;
  /** Id of the event that caused this one; absent on the first. */
  readonly causationId?: string;
  /** Events between the first of the chain and this one. */
  readonly hops: number;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** The events before this one, oldest first, the last {@link MAX_TRAIL} of them: `type/id` with 8 digits of the id. */
  readonly trail?: string;
  /** Name of the replay that delivers this event again; absent on live events. */
  readonly replayed?: string;
  /** Its place among the events of its subject, where the contract says so. */
  readonly sequence?: Sequence;
  readonly data: Data;
}

/**
 * An event's place among those of one scope. A number counts 1, 2, 3, ... without gaps; a text only rises, so that of
 * two events the later is known, but not whether one is missing.
 */
export interface Sequence {
  /** What is counted: the subject, or the object of a bucket. */
  readonly scope: string;
  readonly value: number | string;
}

/** Anything a module can listen to. */
export type Listenable = EventContract<string, DataSchema> | AwsEvent<string, DataSchema> | Family;

/** The typed event a listenable delivers. */
export type EventOf<L> =
  L extends EventContract<infer T, DataSchema>
    ? Event<T, DataOf<L>>
    : L extends AwsEvent<infer T, DataSchema>
      ? Event<T, DataOf<L>>
      : L extends Family
        ? Event<string, DataOf<L>>
        : never;

/** The event that causes others: the fields the chain is built from. */
export type Cause = Pick<Event, 'id' | 'type' | 'correlationId' | 'hops' | 'traceparent' | 'trail'>;

/** Longest trail, events. */
const MAX_TRAIL = 16;

/** The trail of an event that follows from `cause`. */
export function trailOf({ id, type, trail }: Cause): string {
  const before = trail ? trail.split(' ') : [];
  return [...before, `${type}/${id.slice(0, 8)}`].slice(-MAX_TRAIL).join(' ');
}

/**
 * The id of an emitted event: the same for every retry of the same work, so the next ledger drops repeats.
 * 32 hex digits of a SHA-256 over (consumer, causing event id, index).
 */
export function deterministicId(consumer: string, causeId: string, index: number): string {
  return createHash('sha256').update(`${consumer}\n${causeId}\n${index}`).digest('hex').slice(0, 32);
}

export interface EnvelopeOptions {
  readonly id: string;
  readonly time: Date;
  readonly cause?: Cause;
}

/** Puts a draft in its envelope. @throws HeadraceError HR104 when it exceeds {@link MAX_EVENT_BYTES} */
export function toEnvelope(draft: Draft, options: EnvelopeOptions): Envelope {
  const { contract, data } = draft;
  const { id, cause, time } = options;
  const envelope: Envelope = {
    specversion: '1.0',
    id,
    source: contract.source,
    type: contract.type,
    time: time.toISOString(),
    subject: String((data as Record<string, unknown>)[contract.subject]),
    dataschema: contract.dataschema,
    datacontenttype: 'application/json',
    correlationid: cause?.correlationId ?? id,
    ...(cause && { causationid: cause.id }),
    hops: cause ? cause.hops + 1 : 0,
    ...(cause?.traceparent && { traceparent: cause.traceparent }),
    ...(cause && { trail: trailOf(cause) }),
    data: data as Record<string, unknown>,
  };
  const bytes = Buffer.byteLength(JSON.stringify(envelope));
  if (bytes > MAX_EVENT_BYTES) {
    throw new HeadraceError('HR104', {
      what: `An event of type ${contract.type} is too large.`,
      got: `${bytes} bytes`,
      allowed: `up to ${MAX_EVENT_BYTES} bytes`,
      next: 'Put the data in a store and send its reference (objectRef).',
    });
  }
  return envelope;
}

/** The EventBridge event as AWS delivers it to a queue. */
export const busEventSchema = z.object({
  id: z.string(),
  source: z.string(),
  'detail-type': z.string(),
  time: z.string(),
  detail: z.record(z.string(), z.unknown()),
  // Set by a replay, the first one by EventBridge's own too.
  'replay-name': z.string().min(1).optional(),
  'replay-again': z.boolean().optional(),
  'replay-emit': z.boolean().optional(),
});

/** How a replay delivers an event. */
export interface Replay {
  readonly name: string;
  /** Handle it once more although it was handled. */
  readonly again: boolean;
  /** Send what follows from it. */
  readonly emit: boolean;
}

/** The replay that delivers this message, or undefined for a live one. */
export function replayOf(body: unknown): Replay | undefined {
  const { data } = busEventSchema.safeParse(body);
  const name = data?.['replay-name'];
  if (!data || name === undefined) return undefined;
  return { name, again: data['replay-again'] === true, emit: data['replay-emit'] === true };
}

/**
 * Opens an event from the bus for a module that listens to `listenables`.
 *
 * @throws HeadraceError HR103 when it is no event at all, HR105 when the module does not listen to its type,
 * HR106 when the version is unknown, HR102 when the data breaks the contract
 */
export function openEvent(body: unknown, listenables: readonly Listenable[]): Event {
  const bus = parseOrRefuse(busEventSchema, body, 'an EventBridge event');
  const replayed = bus['replay-name'];
  const aws = listenables.find((l) => l.kind === 'aws-event' && matchesAws(l, bus));
  const event = aws ? openAwsEvent(bus, aws as AwsEvent) : openEnvelope(bus, listenables);
  return replayed === undefined ? event : { ...event, replayed };
}

function openEnvelope(bus: z.output<typeof busEventSchema>, listenables: readonly Listenable[]): Event {
  const envelope = parseOrRefuse(envelopeSchema, bus.detail, 'a CloudEvents 1.0 envelope');
  const version = versionOf(envelope);
  const contract = contractFor({ ...envelope, version }, listenables);
  const data = checkData(contract, envelope.data);
  return {
    id: envelope.id,
    type: envelope.type,
    source: envelope.source,
    time: envelope.time,
    subject: envelope.subject,
    version,
    correlationId: envelope.correlationid,
    ...(envelope.causationid && { causationId: envelope.causationid }),
    hops: envelope.hops,
    ...(envelope.traceparent && { traceparent: envelope.traceparent }),
    ...(envelope.trail && { trail: envelope.trail }),
    ...(contract.sequence !== undefined && {
      sequence: { scope: envelope.subject, value: Number((data as Record<string, unknown>)[contract.sequence]) },
    }),
    data,
  };
}

/** The version of the data. @throws HeadraceError HR103 when the schema is not that of the type */
function versionOf({ type, dataschema }: Pick<Envelope, 'type' | 'dataschema'>): number {
  const version = Number(dataschema.split(':').at(-1));
  if (dataschema === `urn:headrace:${type}:${version}`) return version;
  throw new HeadraceError('HR103', {
    what: `The message is of type ${type}, its data of another schema.`,
    got: dataschema,
    allowed: `urn:headrace:${type}:<version>`,
    next: 'Send events with `publish` or `npx headrace publish`, which check them first.',
  });
}

function matchesAws(contract: AwsEvent, bus: z.output<typeof busEventSchema>): boolean {
  return contract.source === bus.source && contract.detailType === bus['detail-type'];
}

function openAwsEvent(bus: z.output<typeof busEventSchema>, contract: AwsEvent): Event {
  const data = checkData(contract, bus.detail);
  const sequence = contract.sequence?.(data);
  return {
    id: bus.id,
    type: contract.type,
    source: bus.source,
    time: bus.time,
    subject: contract.subject(data),
    version: 1,
    correlationId: bus.id,
    hops: 0,
    ...(sequence && { sequence }),
    data,
  };
}

type Readable = Pick<AnyEvent, 'type' | 'schema' | 'sensitive'> & Partial<Pick<AnyEvent, 'sequence'>>;

function contractFor(
  { type, version, data }: Pick<Envelope, 'type' | 'data'> & { readonly version: number },
  listenables: readonly Listenable[],
): Readable {
  const exact = listenables.filter((l): l is AnyEvent => l.kind === 'event' && l.type === type);
  const families = listenables.filter((l): l is Family => l.kind === 'family');
  // The event doesn't name its families: of several, it is one that its data fits.
  const family = families.find(({ schema }) => schema.safeParse(data).success) ?? families[0];
  const found = exact.find((contract) => contract.version === version);
  if (found) return found;
  if (exact.length > 0) {
    throw new HeadraceError('HR106', {
      what: `The module does not know this version of ${type}.`,
      got: version,
      allowed: exact.map((contract) => contract.version).join(', '),
      next: 'Deploy a module that knows the version, then redrive.',
    });
  }
  if (family) return { ...family, type };
  throw new HeadraceError('HR105', {
    what: 'The module does not listen to this event type.',
    got: type,
    allowed: listenables.map((l) => (l.kind === 'family' ? l.name : l.type)).join(', '),
    next: "Correct the rule or the module's `on`.",
  });
}

function parseOrRefuse<S extends z.ZodType>(schema: S, value: unknown, expected: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const broken = result.error.issues.map((issue) => `${issue.path.join('.') || '(all)'}: ${issue.message}`).join('; ');
  throw new HeadraceError('HR103', {
    what: `The message is not ${expected}: ${broken}.`,
    next: 'Send events with `publish` or `npx headrace publish`, which check them first.',
  });
}
