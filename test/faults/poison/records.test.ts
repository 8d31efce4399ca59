import { openEvent } from '../../../lib/contract';
import { random } from '../../../vision/rng';
import { recordSent } from '../project/events/record-sent.v1';
import { batchOf, EXPECTED, nameIn, type SentRecord } from './records';

const next = random(1);
const batches = Array.from({ length: 200 }, (_, i) => batchOf(i, next));
const records = batches.flat();

const opens = ({ body }: SentRecord) => {
  try {
    openEvent(JSON.parse(body), [recordSent]);
    return true;
  } catch {
    return false;
  }
};

test('a batch has ten records, one to nine of them poison, and fits one request', () => {
  for (const batch of batches) {
    const poison = batch.filter(({ kind }) => kind !== 'good').length;
    expect([batch.length, poison >= 1 && poison <= 9]).toEqual([10, true]);
    expect(batch.reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0)).toBeLessThan(1024 * 1024);
  }
});

test('every kind of poison comes up', () => {
  expect([...new Set(records.map(({ kind }) => kind))].sort()).toEqual(['good', ...Object.keys(EXPECTED)].sort());
});

test('what a handler is to see opens as an event, the rest does not', () => {
  const handled = ['good', 'throws', 'refused', 'crashes', 'hangs'];
  for (const record of records)
    expect([record.kind, opens(record)]).toEqual([record.kind, handled.includes(record.kind)]);
});

test('a record is known by its message, however broken that is', () => {
  expect(records.map(({ body }) => nameIn(body))).toEqual(records.map(({ name }) => name));
});
