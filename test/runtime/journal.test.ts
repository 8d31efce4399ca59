import '../support/quiet';
import { gunzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { ENV, JOURNAL } from '../../lib/module';
import { keepJournal } from '../../lib/runtime';
import { journalPages } from '../../lib/runtime/journal';
import { busEvent, sqsEvent, sqsRecord } from '../support/aws';
import { arrived, essayArrived } from '../support/essays';

const sentAt = (iso: string) => ({ attributes: { ...sqsRecord('').attributes, SentTimestamp: `${Date.parse(iso)}` } });
const at = (iso: string, id: string) => ({ ...arrived(id), ...sentAt(iso) });

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a batch becomes one object under the hour it arrived: each line the event as it was, and when it came', () => {
  const [page, ...more] = journalPages([at('2026-01-02T15:04:05.678Z', 'a'), at('2026-01-02T15:04:06.000Z', 'b')]);
  expect(more).toEqual([]);
  expect(page?.key).toMatch(/^events\/2026\/01\/02\/15\/1767366245678-[0-9a-f]{16}\.jsonl\.gz$/);
  expect(lines(page!.text)).toEqual([
    { ...JSON.parse(arrived('a').body), received: '2026-01-02T15:04:05.678Z' },
    { ...JSON.parse(arrived('b').body), received: '2026-01-02T15:04:06.000Z' },
  ]);
});

test('the same batch in another order is the same object, another batch another', () => {
  const [a, b] = [at('2026-01-02T15:04:05Z', 'a'), at('2026-01-02T15:04:05Z', 'b')];
  expect(journalPages([a, b])).toEqual(journalPages([b, a]));
  expect(journalPages([a])[0]?.key).not.toBe(journalPages([b])[0]?.key);
});

test('a batch that spans the full hour is split, so that each event lies under the hour it arrived', () => {
  const pages = journalPages([at('2026-01-02T16:00:00.000Z', 'late'), at('2026-01-02T15:59:59.999Z', 'early')]);
  expect(pages.map(({ key }) => key.slice(0, 21))).toEqual(['events/2026/01/02/15/', 'events/2026/01/02/16/']);
  expect(pages.map(({ text }) => lines(text)[0].detail.id)).toEqual(['early', 'late']);
});

test('what is no JSON object is kept as it came', () => {
  const bodies = ['no json {', '[1]', 'null', '"text"'];
  const records = bodies.map((body, i) => ({ ...sqsRecord(body, { messageId: `m-${i}` }) }));
  expect(lines(journalPages(records)[0]!.text).map(({ raw }) => raw)).toEqual(bodies);
});

test('the events of an hour of a large batch lie in one object', () => {
  const many = Array.from({ length: 100 }, (_, i) => at('2026-01-02T15:04:05Z', `e-${i}`));
  expect(journalPages(many)).toHaveLength(1);
});

describe('the function', () => {
  const s3 = mockClient(S3Client);
  beforeEach(() => {
    s3.reset();
    process.env[ENV.store(JOURNAL)] = 'journal-bucket';
  });
  afterAll(() => {
    delete process.env[ENV.store(JOURNAL)];
    s3.restore();
  });

  test('writes the lines gzipped', async () => {
    s3.on(PutObjectCommand).resolves({});
    await keepJournal()(sqsEvent(at('2026-01-02T15:04:05Z', 'a')));
    const [call] = s3.commandCalls(PutObjectCommand);
    const { Bucket, Body } = call!.args[0].input;
    expect(Bucket).toBe('journal-bucket');
    expect(lines(gunzipSync(Body as Buffer).toString())[0]).toMatchObject(
      busEvent(essayArrived.create({ ...essayArrived.example, essay: 'a' }), { id: 'a' }),
    );
  });

  test('fails as a whole when an object cannot be written, so that the batch comes back', async () => {
    s3.on(PutObjectCommand).rejects(new Error('slow down'));
    await expect(keepJournal()(sqsEvent(at('2026-01-02T15:04:05Z', 'a')))).rejects.toThrow('slow down');
  });
});
