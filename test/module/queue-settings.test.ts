import * as z from 'zod';
import { defineEvent } from '../../lib/contract';
import { defineModule, type Module } from '../../lib/module';
import { type QueueSettings, queueSettings, RECEIVE_MARGIN } from '../../lib/module/queue-settings';

const fact = defineEvent({
  type: 'thing.seen',
  version: 1,
  summary: 'A thing was seen',
  subject: 'thing',
  schema: z.object({ thing: z.string() }),
  example: { thing: 'one' },
});

const seeThing: Module = defineModule({
  name: 'see-thing',
  summary: 'Sees',
  on: [fact],
  emits: [],
  timeoutSeconds: 30,
  retry: { attempts: 4, firstDelaySeconds: 2, factor: 2, maxDelaySeconds: 60 },
}) as unknown as Module;

const set = (overrides: Partial<QueueSettings>) => () => queueSettings(seeThing, overrides);

test('derives every setting from the module', () => {
  expect(queueSettings(seeThing)).toEqual({
    visibilitySeconds: 180,
    retentionSeconds: 4 * 86_400,
    deadLetterRetentionSeconds: 14 * 86_400,
    maxReceiveCount: 10 * 4 + RECEIVE_MARGIN,
  });
});

test('receives a message often enough for every sibling of its batch to use up its attempts, as far as SQS allows', () => {
  expect(queueSettings({ ...seeThing, batchSize: 1 }).maxReceiveCount).toBe(4 + RECEIVE_MARGIN);
  const stubborn = { ...seeThing.retry, attempts: 100 };
  expect(queueSettings({ ...seeThing, retry: stubborn }).maxReceiveCount).toBe(1000);
});

test('a heartbeat adds the looks of a duplicate at work that goes on: each comes when a short lease could be over', () => {
  const { maxReceiveCount } = queueSettings({ ...seeThing, batchSize: 1, timeoutSeconds: 300, heartbeatSeconds: 10 });
  expect(maxReceiveCount).toBe(4 + RECEIVE_MARGIN + 300 / 20);
});

test('an ordered module may receive a message as often as SQS allows: each look whether it is its turn is one', () => {
  expect(queueSettings({ ...seeThing, ordered: true }).maxReceiveCount).toBe(1000);
});

test('fails when the visibility timeout is shorter than six function timeouts', () => {
  expect(set({ visibilitySeconds: 60 })).toThrow(/HR601.*see-thing.*at least 6 x timeoutSeconds \(180\), got 60/);
});

test('fails when the visibility timeout is longer than SQS allows', () => {
  expect(set({ visibilitySeconds: 43_201 })).toThrow(/at most 43200/);
});

test('fails when dead letters are kept no longer than messages', () => {
  expect(set({ deadLetterRetentionSeconds: 345_600 })).toThrow(/longer than retentionSeconds \(345600\), got 345600/);
});

test('fails when SQS would take a message away before its last attempt', () => {
  expect(set({ maxReceiveCount: 4 })).toThrow(/from retry.attempts \+ 1 \(5\) to 1000, got 4/);
});

test('fails when a message could vanish between two attempts', () => {
  expect(set({ retentionSeconds: 120 })).toThrow(/cover all attempts with their waits \(134\), got 120/);
});

test('fails when retention is outside what SQS allows', () => {
  expect(set({ retentionSeconds: 1_300_000 })).toThrow(/retentionSeconds must be from 60/);
  expect(set({ deadLetterRetentionSeconds: 1_300_000 })).toThrow(/deadLetterRetentionSeconds must be from 60/);
});

test('fails when batch size or concurrency of a module made by hand are out of range', () => {
  expect(() => queueSettings({ ...seeThing, batchSize: 11 })).toThrow(/batchSize must be from 1 to 10, got 11/);
  expect(() => queueSettings({ ...seeThing, concurrency: 1 })).toThrow(/concurrency must be from 2 to 1000, got 1/);
});

test('fails once, with every broken rule', () => {
  expect(set({ visibilitySeconds: 1, maxReceiveCount: 1 })).toThrow(/visibilitySeconds.*; maxReceiveCount/);
});
