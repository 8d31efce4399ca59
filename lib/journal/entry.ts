import { type AwsEvent, objectCreated } from '../contract';

/** One event of the journal. */
export interface JournalEntry {
  /** When it arrived at the journal, ISO 8601. */
  readonly received: string;
  /** Id of the event: that of its envelope, or that of AWS for an event of AWS. */
  readonly id: string;
  readonly type: string;
  /** The entity it is about; empty when the event does not say. */
  readonly subject: string;
  /** When it happened, ISO 8601. */
  readonly time: string;
  readonly correlationId: string;
  /** The event as it was on the bus. */
  readonly event: Readonly<Record<string, unknown>>;
}

/** Uploads are known by their name to everybody. */
const UPLOAD = objectCreated('any');

/** Events of AWS by the names and subjects their declarations give them. */
export type AwsNames = readonly Pick<AwsEvent, 'type' | 'source' | 'detailType' | 'schema' | 'subject'>[];

/** Reads one line of a page; undefined when it is not an event. */
export function readLine(line: string, awsEvents: AwsNames = []): JournalEntry | undefined {
  const { received, ...event } = JSON.parse(line) as Record<string, unknown>;
  const { detail } = event;
  const isEvent = typeof event.id === 'string' && typeof detail === 'object' && detail !== null;
  if (typeof received !== 'string' || !isEvent) return undefined;
  const fields = detail as Readonly<Record<string, unknown>>;
  const known = fields.specversion === '1.0' ? ownFields(fields, event) : awsFields(fields, event, awsEvents);
  return { received, ...known, event };
}

type Known = Omit<JournalEntry, 'received' | 'event'>;

const textOf = (value: unknown, otherwise: unknown): string => String(typeof value === 'string' ? value : otherwise);

function ownFields(detail: JournalEntry['event'], event: JournalEntry['event']): Known {
  const id = textOf(detail.id, event.id);
  return {
    id,
    type: textOf(detail.type, event['detail-type']),
    subject: textOf(detail.subject, ''),
    time: textOf(detail.time, event.time),
    correlationId: textOf(detail.correlationid, id),
  };
}

function awsFields(detail: JournalEntry['event'], event: JournalEntry['event'], awsEvents: AwsNames): Known {
  const declared = [...awsEvents, UPLOAD].find(
    ({ source, detailType }) => source === event.source && detailType === event['detail-type'],
  );
  const data = declared?.schema.safeParse(detail).data;
  const id = String(event.id);
  return {
    id,
    type: declared?.type ?? textOf(event['detail-type'], ''),
    subject: declared && data ? declared.subject(data as never) : '',
    time: textOf(event.time, ''),
    correlationId: id,
  };
}
