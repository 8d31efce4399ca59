import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { toEnvelope } from '../../lib/contract';
import { publish, putEvents } from '../../lib/runtime';
import { NOW, startClock } from '../support/clock';
import { essayGraded } from '../support/essays';
import { lateRefusal } from '../support/refusal';

const bus = mockClient(EventBridgeClient);
const waits: number[] = [];
const wait = async (milliseconds: number) => waits.push(milliseconds);
const options = { client: new EventBridgeClient({}), bus: 'essays', wait };

beforeEach(() => {
  bus.reset();
  waits.length = 0;
});

afterAll(() => bus.restore());

const envelope = (id: string) => toEnvelope(essayGraded.create(essayGraded.example), { id, time: NOW });
const many = (count: number) => Array.from({ length: count }, (_, i) => envelope(`id-${i}`));
const requests = () => bus.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries ?? []);
const idsOf = (entries: readonly PutEventsRequestEntry[]) => entries.map(({ Detail }) => JSON.parse(Detail ?? '').id);

/** A bus that refuses these ids so many times. */
function refuse(times: Record<string, number>): void {
  const left = { ...times };
  bus.on(PutEventsCommand).callsFake(({ Entries }) => ({
    Entries: idsOf(Entries).map((id) => {
      if (!left[id]) return { EventId: id };
      left[id] -= 1;
      return { ErrorCode: 'InternalFailure', ErrorMessage: 'try again' };
    }),
  }));
}

test('an envelope becomes an entry with it as the detail', async () => {
  refuse({});
  await putEvents([envelope('a')], options);
  expect(requests()).toEqual([
    [
      {
        EventBusName: 'essays',
        Source: 'headrace.essay',
        DetailType: 'essay.graded',
        Time: NOW,
        Detail: JSON.stringify(envelope('a')),
      },
    ],
  ]);
});

test('ten entries go in one request, in order', async () => {
  refuse({});
  await putEvents(many(23), options);
  expect(requests().map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(requests().flatMap(idsOf)).toEqual(many(23).map(({ id }) => id));
});

test('a request stays below the megabyte EventBridge allows', async () => {
  refuse({});
  await putEvents(
    many(8).map((each) => ({ ...each, data: { essay: 'x'.repeat(235 * 1024) } })),
    options,
  );
  expect(requests().map(({ length }) => length)).toEqual([4, 4]);
  for (const entries of requests()) {
    const bytes = entries.reduce((sum, { Detail = '' }) => sum + Buffer.byteLength(Detail), 0);
    expect(bytes).toBeLessThan(1_000_000);
  }
});

test.each([
  [9, [9]],
  [10, [10]],
  [11, [10, 1]],
  [20, [10, 10]],
])('%i entries are requests of %j', async (count, sizes) => {
  refuse({});
  await putEvents(many(count), options);
  expect(requests().map(({ length }) => length)).toEqual(sizes);
});

test.each([
  ['exactly fill a request go in one', 0, [4]],
  ['are a byte larger go in two', 1, [3, 1]],
])('entries that %s', async (_, more, sizes) => {
  refuse({});
  // With 256 bytes an entry for its other fields, four of these are a million bytes.
  const bare = Buffer.byteLength(JSON.stringify({ ...envelope('a'), data: { essay: '' } }));
  const fill = (bytes: number) => ({ ...envelope('a'), data: { essay: 'x'.repeat(bytes - 256 - bare) } });
  await putEvents([...Array(3).fill(fill(250_000)), fill(250_000 + more)], options);
  expect(requests().map(({ length }) => length)).toEqual(sizes);
});

test('a request that the bus throttles as a whole, with a 400, is sent again', async () => {
  const throttled = Object.assign(new Error('Rate exceeded'), {
    name: 'ThrottlingException',
    $metadata: { httpStatusCode: 400 },
  });
  bus
    .on(PutEventsCommand)
    .rejectsOnce(throttled)
    .resolves({ Entries: [{ EventId: 'a' }] });
  await putEvents([envelope('a')], options);
  expect(requests().map(idsOf)).toEqual([['a'], ['a']]);
  expect(waits).toHaveLength(1);
});

test('says request by request what was accepted', async () => {
  refuse({ 'id-3': 1 });
  const accepted: string[][] = [];
  await putEvents(many(12), { ...options, onAccepted: (those) => accepted.push(those.map(({ id }) => id)) });
  expect(accepted.map(({ length }) => length)).toEqual([9, 2, 1]);
  expect(accepted.flat().toSorted()).toEqual(
    many(12)
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(accepted.at(-1)).toEqual(['id-3']);
});

test('nothing to say is no request', async () => {
  await putEvents([], options);
  expect(requests()).toEqual([]);
});

test('only the entries the bus refused are sent again, after a wait', async () => {
  refuse({ 'id-3': 1, 'id-11': 2 });
  await putEvents(many(12), options);
  expect(requests().map(idsOf).slice(2)).toEqual([['id-3', 'id-11'], ['id-11']]);
  expect(waits).toHaveLength(2);
  for (const milliseconds of waits) expect(milliseconds).toBeGreaterThanOrEqual(1000);
});

test('fails after six tries, naming every event that did not make it', async () => {
  refuse({ 'id-1': 99, 'id-2': 99 });
  const error = await lateRefusal(putEvents(many(4), options));
  expect(error.code).toBe('HR303');
  expect(error.message).toContain('2 of 4 events were not accepted by the bus essays (InternalFailure: try again)');
  expect(error.message).toContain('essay.graded id-1, essay.graded id-2');
  expect(requests()).toHaveLength(6);
  expect(waits).toHaveLength(5);
});

test('a request that failed on the way is sent again whole', async () => {
  const broken = Object.assign(new Error('no answer'), { $metadata: { httpStatusCode: 503 } });
  bus
    .on(PutEventsCommand)
    .rejectsOnce(broken)
    .resolves({ Entries: [{ EventId: 'a' }] });
  await putEvents([envelope('a')], options);
  expect(requests().map(idsOf)).toEqual([['a'], ['a']]);
});

test('fails at once when the request itself is wrong', async () => {
  const denied = Object.assign(new Error('access denied'), { $metadata: { httpStatusCode: 400 } });
  bus.on(PutEventsCommand).rejects(denied);
  await expect(putEvents([envelope('a')], options)).rejects.toBe(denied);
  expect(requests()).toHaveLength(1);
});

test('publishing gives each fact an envelope with an id of its own, and returns them', async () => {
  refuse({});
  startClock();
  const fact = essayGraded.create(essayGraded.example);
  const sent = await publish([fact, fact], {
    ...options,
    time: NOW,
    cause: { id: 'b', correlationId: 'a', type: 'essay.arrived', hops: 0 },
  });
  expect(sent.map(({ causationid, correlationid, hops }) => [causationid, correlationid, hops])).toEqual([
    ['b', 'a', 1],
    ['b', 'a', 1],
  ]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  expect(requests().flatMap(idsOf)).toEqual(sent.map(({ id }) => id));
});
