import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { toEnvelope } from '../../lib/contract';
import { type Lease, Ledger } from '../../lib/runtime';
import { fixedClock, NOW } from '../support/clock';
import { essayGraded } from '../support/essays';
import { MemoryTable } from '../support/memory-table';
import { lateRefusal } from '../support/refusal';

const outbox = [toEnvelope(essayGraded.create(essayGraded.example), { id: 'a', time: NOW })];
const MINUTE = { leaseMs: 60_000 };

let clock = fixedClock();
let table = new MemoryTable();
let ledger = new Ledger(new DynamoDBClient({}), 'ledger');

beforeEach(() => {
  table.calls.restore();
  clock = fixedClock();
  jest.spyOn(Date, 'now').mockImplementation(clock.now);
  table = new MemoryTable();
  ledger = new Ledger(new DynamoDBClient({}), 'ledger');
});

afterAll(() => table.calls.restore());

async function lease(options: { leaseMs: number; takeOver?: boolean } = MINUTE): Promise<Lease> {
  const acquired = await ledger.acquire('grade-essay', 'e-1', options);
  if (acquired.state !== 'acquired') throw new Error(`not acquired: ${acquired.state}`);
  return acquired.lease;
}

test('who comes first gets the lease', async () => {
  expect(await lease()).toEqual({ key: 'grade-essay#e-1', fence: 1, attempts: 1, once: {} });
});

test('two consumers of one event do not meet', async () => {
  await lease();
  expect(await ledger.acquire('mark-essay', 'e-1', MINUTE)).toMatchObject({ state: 'acquired' });
});

test('while a lease runs, others are told how long to wait, in whole seconds', async () => {
  await lease({ leaseMs: 10_000 });
  clock.advance(3_500);
  expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toEqual({ state: 'busy', retryAfterSeconds: 7 });
});

test('a lease holds to its last millisecond', async () => {
  await lease({ leaseMs: 10_000 });
  clock.advance(10_000);
  expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toEqual({ state: 'busy', retryAfterSeconds: 1 });
  clock.advance(1);
  expect(await lease()).toMatchObject({ fence: 2, attempts: 2 });
});

test('a running lease is taken over by who knows that the worker is gone', async () => {
  await lease();
  expect(await lease({ ...MINUTE, takeOver: true })).toMatchObject({ fence: 2, attempts: 2 });
});

test('who would take abandoned work finds it busy, should another with a slow clock have just taken it', async () => {
  await lease({ leaseMs: 1_000 });
  clock.advance(5_000);
  const refused = new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
  jest.spyOn(table, 'update').mockImplementationOnce(() => {
    throw refused;
  });
  expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toEqual({ state: 'busy', retryAfterSeconds: 1 });
});

describe('who leaves abandoned work alone', () => {
  const acquire = () => ledger.acquire('grade-essay', 'e-1', { ...MINUTE, leaveAbandoned: true });

  test('is told of work whose worker did not come back, and how often that was', async () => {
    await lease();
    clock.advance(60_001);
    await lease();
    expect(await acquire()).toMatchObject({ state: 'busy' });
    clock.advance(60_001);
    expect(await acquire()).toEqual({ state: 'abandoned', attempts: 2 });
    expect(await lease()).toMatchObject({ fence: 3, attempts: 3 });
  });

  test('takes what is new and what was given up', async () => {
    expect(await acquire()).toMatchObject({ state: 'acquired' });
    await ledger.release({ key: 'grade-essay#e-1', fence: 1, attempts: 1, once: {} });
    expect(await acquire()).toMatchObject({ state: 'acquired', lease: { attempts: 2 } });
  });
});

test('finished work is not taken over', async () => {
  await ledger.commit(await lease(), [], { result: 'graded' });
  expect(await ledger.acquire('grade-essay', 'e-1', { ...MINUTE, takeOver: true })).toMatchObject({ state: 'done' });
});

test('finished work stays finished, with its outbox and its result', async () => {
  await ledger.commit(await lease(), outbox, { result: 'graded' });
  clock.advance(365 * 24 * 3600 * 1000);
  expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toEqual({
    state: 'done',
    done: { outbox, sent: false, result: 'graded' },
  });
});

test('the outbox is noted as sent', async () => {
  await ledger.commit(await lease(), outbox);
  await ledger.markSent('grade-essay', 'e-1');
  expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toMatchObject({ done: { sent: true, result: null } });
});

test('an empty outbox needs no sending', async () => {
  await ledger.commit(await lease(), []);
  expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toMatchObject({ done: { outbox: [], sent: true } });
});

describe('a worker whose lease was taken over', () => {
  test.each([
    ['commit', (late: Lease) => ledger.commit(late, outbox)],
    ['release', (late: Lease) => ledger.release(late)],
    ['save a result', (late: Lease) => ledger.saveOnce(late, { pay: 1 })],
  ])('fails when it tries to %s, and changes nothing', async (_, act) => {
    const late = await lease();
    clock.advance(60_001);
    await lease();
    const before = structuredClone(table.items);
    const error = await lateRefusal(act(late));
    expect(error.code).toBe('HR305');
    expect(error.message).toContain('fencing token 1 of grade-essay#e-1');
    expect(table.items).toEqual(before);
  });

  test('fails when it tries to commit after the other finished', async () => {
    const late = await lease();
    await ledger.commit(await lease({ ...MINUTE, takeOver: true }), [], { result: 'by the other' });
    expect((await lateRefusal(ledger.commit(late, outbox, { result: 'late' }))).code).toBe('HR305');
    expect(await ledger.acquire('grade-essay', 'e-1', MINUTE)).toMatchObject({ done: { result: 'by the other' } });
  });
});

test('released work can be taken at once, and its attempts count on', async () => {
  await ledger.release(await lease());
  expect(await lease()).toMatchObject({ fence: 2, attempts: 2 });
});

test('released for good, its attempts are forgotten but its fencing token is not', async () => {
  await ledger.release(await lease(), 0);
  expect(await lease()).toMatchObject({ fence: 2, attempts: 1 });
});

test('results of finished effects reach the next attempt', async () => {
  const first = await lease();
  await ledger.saveOnce(first, { pay: { receipt: 7 } });
  await ledger.release(first);
  expect((await lease()).once).toEqual({ pay: { receipt: 7 } });
});

test('refuses an outbox that would not fit the item', async () => {
  const large = { ...outbox[0]!, data: { essay: 'x'.repeat(180 * 1024) } };
  const held = await lease();
  const error = await lateRefusal(ledger.commit(held, [large, large]));
  expect(error.code).toBe('HR104');
  expect(error.message).toContain('too large together');
  await expect(ledger.commit(held, [large])).resolves.toBeUndefined();
});

test('a record is kept for 90 days', async () => {
  await lease();
  const expires = Number(table.items.get('grade-essay#e-1')?.expires_at?.N);
  expect(expires).toBe(Math.floor(NOW.getTime() / 1000) + 90 * 24 * 3600);
});

test('a failure that is no lost race is passed on', async () => {
  const held = await lease();
  table.calls.on(UpdateItemCommand).rejects(new Error('throttled'));
  await expect(ledger.acquire('grade-essay', 'e-1', MINUTE)).rejects.toThrow('throttled');
  await expect(ledger.commit(held, [])).rejects.toThrow('throttled');
});

test('work that is given up is marked as parked until somebody takes it up again', async () => {
  await ledger.giveUp(await lease());
  expect(table.items.get('grade-essay#e-1')).toMatchObject({ parked_at: { N: String(NOW.getTime()) } });
  expect(await lease()).toMatchObject({ fence: 2, attempts: 1 });
  expect(table.items.get('grade-essay#e-1')?.parked_at).toBeUndefined();
});
