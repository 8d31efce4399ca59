import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { ENV, JOURNAL } from '../module';
import { s3 } from './clients';
import { setting } from './setting';
import { S3Store } from './store';

const compressed = promisify(gzip);

/** What the journal keeps of one hour of one batch. */
export interface JournalPage {
  /** `events/<yyyy>/<mm>/<dd>/<hh>/<ms>-<hash>.jsonl.gz`, by the arrival of its first event. */
  readonly key: string;
  /** JSON, one a line. */
  readonly text: string;
}

/**
 * The handler that keeps every event of a pipeline in its journal. A batch becomes one gzipped object of JSON lines; one
 * that began before the full hour and ended after it becomes two, so that an event is found by the hour it arrived. Each
 * line is the event as it was on the bus, and `received`. What is no JSON object is kept as `{ received, raw }`.
 *
 * When an object can't be written the whole batch fails and comes back. The same batch has the same keys, so nothing is
 * kept twice by that; in other company an event is, and who reads the journal drops repeats by their id.
 *
 * Sensitive fields are kept as they were on the bus; the bucket is encrypted as a whole, its fields are not.
 */
export function keepJournal(): (event: SQSEvent) => Promise<void> {
  return async ({ Records }) => {
    const store = new S3Store(s3(), setting(ENV.store(JOURNAL)));
    for (const { key, text } of journalPages(Records)) {
      await store.put(key, await compressed(text), { contentType: 'application/gzip' });
    }
  };
}

/** The pages a batch becomes, whatever the order of its messages. */
export function journalPages(records: readonly SQSRecord[]): JournalPage[] {
  const arrived = records
    .map((record) => ({ record, at: Number(record.attributes.SentTimestamp) }))
    .sort((a, b) => a.at - b.at || (a.record.messageId < b.record.messageId ? -1 : 1));
  const hours = new Map<string, typeof arrived>();
  for (const each of arrived) {
    const hour = journalHour(new Date(each.at));
    hours.set(hour, [...(hours.get(hour) ?? []), each]);
  }
  return [...hours].map(([hour, those]) => ({
    key: `${hour}${those[0]?.at}-${hashOf(those.map(({ record }) => record.messageId))}.jsonl.gz`,
    text: those.map(({ record, at }) => `${lineOf(record.body, new Date(at).toISOString())}\n`).join(''),
  }));
}

/** Prefix of everything that arrived in the hour of `time`, UTC: `events/2026/01/02/15/`. */
export function journalHour(time: Date): string {
  const [date = '', clock = ''] = time.toISOString().split('T');
  return `events/${date.replaceAll('-', '/')}/${clock.slice(0, 2)}/`;
}

function hashOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join('\n')).digest('hex').slice(0, 16);
}

function lineOf(body: string, received: string): string {
  const event = parsed(body);
  return JSON.stringify(event ? { ...event, received } : { received, raw: body });
}

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
