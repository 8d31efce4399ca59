import { gzipSync } from 'node:zlib';
import { Journal, type JournalEntry } from '../../lib/journal';
import { inOrder } from '../../lib/journal/in-order';
import { journalPages } from '../../lib/runtime/journal';
import { busEvent, objectCreatedEvent, sqsRecord } from '../support/aws';
import { essayArrived, essayGraded } from '../support/essays';
import { memoryStore } from '../support/memory-store';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-01-02T00:00:00Z');

interface Past {
  readonly id: string;
  /** Milliseconds after the beginning. */
  readonly at: number;
  /** When it happened, if that was not when it arrived. */
  readonly happened?: number;
  readonly essay?: string;
  readonly body?: string;
}

let batches = 0;

function record({ id, at, happened = at, essay = 'e-1', body }: Past) {
  const time = new Date(BEGIN + happened);
  const event = busEvent(essayArrived.create({ ...essayArrived.example, essay }), { id, time });
  const attributes = { ...sqsRecord('').attributes, SentTimestamp: String(BEGIN + at) };
  return sqsRecord(body ?? event, { messageId: `m-${id}-${batches}`, attributes });
}

/** A journal as its function writes it, batch by batch. */
function journalOf(...batch: (readonly Past[])[]) {
  const store = memoryStore('journal');
  for (const events of batch) {
    batches++;
    for (const { key, text } of journalPages(events.map(record))) store.bucket.objects.set(key, gzipSync(text));
  }
  const unreadable: string[] = [];
  return { store, unreadable, journal: new Journal(store, { onUnreadable: (line) => unreadable.push(line) }) };
}

async function read(journal: Journal, from: number, to: number, more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  const filter = { from: new Date(BEGIN + from), to: new Date(BEGIN + to), ...more };
  for await (const { id } of journal.events(filter)) ids.push(id);
  return ids;
}

test('gives the events that arrived in the window, from its first instant up to its last and without it', async () => {
  const { journal } = journalOf([
    { id: 'before', at: 999 },
    { id: 'first', at: 1000 },
    { id: 'last', at: 1999 },
    { id: 'after', at: 2000 },
  ]);
  expect(await read(journal, 1000, 2000)).toEqual(['first', 'last']);
});

test('finds the events of whole days and of single hours, in order of the hours', async () => {
  const hours = [1, 23, 24, 47, 48, 50];
  const { journal } = journalOf(...hours.map((hour) => [{ id: `h-${hour}`, at: hour * HOUR }]));
  expect(await read(journal, 0, 72 * HOUR)).toEqual(['h-1', 'h-23', 'h-24', 'h-47', 'h-48', 'h-50']);
  expect(await read(journal, 23 * HOUR, 49 * HOUR)).toEqual(['h-23', 'h-24', 'h-47', 'h-48']);
});

test('gives an event once, also when it came twice about the full hour', async () => {
  const { journal } = journalOf(
    [{ id: 'a', at: 0 }],
    [
      { id: 'a', at: 5 },
      { id: 'b', at: HOUR - 1 },
    ],
    [{ id: 'b', at: HOUR + 1 }],
  );
  expect(await read(journal, 0, 2 * HOUR)).toEqual(['a', 'b']);
});

test('gives the events of an hour by the time they happened, however they came', async () => {
  const { journal } = journalOf(
    [
      { id: 'third', at: 10, happened: 3 },
      { id: 'first', at: 20, happened: 1 },
    ],
    [{ id: 'second', at: 30, happened: 2 }],
  );
  expect(await read(journal, 0, HOUR)).toEqual(['first', 'second', 'third']);
});

test('keeps the order across the full hour, for what was late by less than a minute', async () => {
  const { journal } = journalOf(
    [
      { id: 'early', at: HOUR - 100_000 },
      { id: 'second', at: HOUR - 10, happened: HOUR - 20 },
    ],
    [
      { id: 'first', at: HOUR + 10, happened: HOUR - 30 },
      { id: 'third', at: HOUR + 20 },
    ],
  );
  expect(await read(journal, 0, 2 * HOUR)).toEqual(['early', 'first', 'second', 'third']);
});

test('filters by type, subject and correlation, each with a star for any text', async () => {
  const { journal } = journalOf([
    { id: 'a', at: 0, essay: 'red-1' },
    { id: 'b', at: 1, essay: 'red-2' },
    { id: 'c', at: 2, essay: 'blue-1' },
  ]);
  expect(await read(journal, 0, HOUR, { subject: 'red-2' })).toEqual(['b']);
  expect(await read(journal, 0, HOUR, { subject: 'red-*' })).toEqual(['a', 'b']);
  expect(await read(journal, 0, HOUR, { type: 'essay.*', correlation: 'c' })).toEqual(['c']);
  expect(await read(journal, 0, HOUR, { type: 'essay.graded' })).toEqual([]);
});

test('knows uploads by their name and their key', async () => {
  const body = JSON.stringify({ ...objectCreatedEvent('in/a.png'), id: 'upload' });
  const { journal } = journalOf([{ id: 'x', at: 0, body }]);
  expect(await read(journal, 0, HOUR, { type: 's3.object-created', subject: 'in/*' })).toEqual(['upload']);
});

test('passes over what is no event and says so', async () => {
  const { journal, unreadable } = journalOf([
    { id: 'a', at: 0 },
    { id: 'b', at: 1, body: 'no json' },
    { id: 'c', at: 2, body: '{"some":"json"}' },
  ]);
  expect(await read(journal, 0, HOUR)).toEqual(['a']);
  expect(unreadable.map((line) => JSON.parse(line).raw ?? JSON.parse(line).some)).toEqual(['no json', 'json']);
});

test('an event comes out as it went in', async () => {
  const { journal } = journalOf([{ id: 'a', at: 0 }]);
  const found: JournalEntry[] = [];
  const filter = { from: new Date(BEGIN), to: new Date(BEGIN + 1) };
  for await (const entry of journal.events(filter)) found.push(entry);
  expect(found[0]?.event).toEqual(JSON.parse(record({ id: 'a', at: 0 }).body));
  expect(found[0]?.received).toBe('2026-01-02T00:00:00.000Z');
});

test('names the page that cannot be read', async () => {
  const { journal, store } = journalOf([{ id: 'a', at: 0 }]);
  const [key = ''] = store.bucket.objects.keys();
  store.bucket.objects.set(key, new Uint8Array([1, 2, 3]));
  await expect(read(journal, 0, HOUR)).rejects.toThrow(new RegExp(`HR525.*${key}`, 's'));
});

describe('the last good event of a type', () => {
  const until = new Date(BEGIN + 24 * HOUR);
  const bad = (id: string, at: number) => {
    const event = busEvent(essayArrived.create(essayArrived.example), { id, time: new Date(BEGIN + at) });
    event.detail.data = { ...(event.detail.data as object), words: 'many' };
    return { id, at, body: JSON.stringify(event) };
  };
  const { journal } = journalOf(
    [{ id: 'old', at: 0 }],
    [{ id: 'good', at: 5 * HOUR }, bad('bad', 5 * HOUR + 1)],
    [{ id: 'own', at: 20 * HOUR }],
  );

  test('is the newest whose data fits the contract, and not the one in question', async () => {
    const found = await journal.lastGoodEvent({ contract: essayArrived, except: 'own', until });
    expect(found?.id).toBe('good');
    expect((await journal.lastGoodEvent({ contract: essayArrived, until }))?.id).toBe('own');
  });

  test('is looked for day by day, as far back as asked', async () => {
    const later = new Date(BEGIN + 3 * 24 * HOUR);
    expect((await journal.lastGoodEvent({ contract: essayArrived, until: later }))?.id).toBe('own');
    expect(await journal.lastGoodEvent({ contract: essayArrived, until: later, days: 2 })).toBeUndefined();
  });

  test('may not be there', async () => {
    expect(await journal.lastGoodEvent({ contract: essayGraded, until })).toBeUndefined();
  });
});

test('pages are read side by side, at most so many ahead, and come in order', async () => {
  let open = 0;
  let most = 0;
  const work = async (n: number) => {
    most = Math.max(most, ++open);
    for (let i = 0; i < 10 - n; i++) await Promise.resolve();
    open--;
    return n;
  };
  const results: number[] = [];
  for await (const n of inOrder([1, 2, 3, 4, 5, 6, 7], 3, work)) results.push(n);
  expect(results).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});
