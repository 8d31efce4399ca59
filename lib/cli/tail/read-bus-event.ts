import { busEventSchema } from '../../contract/envelope';
import type { SeenEvent } from '../stage';

/**
 * The event in a message that a rule put on a queue. Lenient, since a tail shows what is there: an event without our
 * envelope starts its own chain. Undefined when the message is no event at all.
 */
export function readBusEvent(body: string): SeenEvent | undefined {
  const bus = busEventSchema.safeParse(parse(body)).data;
  if (!bus) return undefined;
  return bus.detail.specversion === '1.0' ? ownEvent(bus) : foreignEvent(bus);
}

function ownEvent(bus: BusEvent): SeenEvent {
  const { detail } = bus;
  const text = (name: string, otherwise: string) => (typeof detail[name] === 'string' ? detail[name] : otherwise);
  const causationId = text('causationid', '');
  const traceparent = text('traceparent', '');
  return {
    id: text('id', bus.id),
    type: text('type', bus['detail-type']),
    source: text('source', bus.source),
    time: text('time', bus.time),
    subject: text('subject', ''),
    version: Number(text('dataschema', '1').split(':').at(-1)),
    correlationId: text('correlationid', bus.id),
    ...(causationId && { causationId }),
    hops: Number(detail.hops ?? 0),
    ...(traceparent && { traceparent }),
    data: (detail.data ?? {}) as Record<string, unknown>,
  };
}

interface BusEvent {
  readonly id: string;
  readonly source: string;
  readonly 'detail-type': string;
  readonly time: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

function foreignEvent({ id, source, time, detail, 'detail-type': detailType }: BusEvent): SeenEvent {
  const upload = source === 'aws.s3' && detailType === 'Object Created';
  const key = (detail.object as { key?: unknown } | undefined)?.key;
  return {
    id,
    type: upload ? 's3.object-created' : detailType,
    source,
    time: time.includes('.') ? time : new Date(time).toISOString(),
    subject: typeof key === 'string' ? key : '',
    version: 1,
    correlationId: id,
    hops: 0,
    data: detail,
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
