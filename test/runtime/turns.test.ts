import type { Sequence } from '../../lib/contract';
import { Order, type Turn } from '../../lib/runtime/order';
import { ManualTime } from './support/manual-time';
import { TableClient } from './support/table-client';

let dynamodb: TableClient;
let time: ManualTime;
beforeEach(() => {
  dynamodb = new TableClient();
  time = new ManualTime();
});

describe('the turns of one scope', () => {
  let order: Order;
  beforeEach(() => {
    order = new Order(dynamodb.client, 'ledger');
  });
  const turn = (value: Sequence['value'], workId = `e-${value}`, scope = 'g'): Turn => ({
    consumer: 'watch-game',
    sequence: { scope, value },
    workId,
  });
  const enter = async (each: Turn) => (await time.run(() => order.enter(each, 10_000))).state;
  const advance = (each: Turn) => time.run(() => order.advance(each));
  const handle = async (...values: Sequence['value'][]) => {
    for (const value of values) {
      expect(await enter(turn(value))).toBe('entered');
      await advance(turn(value));
    }
  };

  test('go by number', async () => {
    expect(await enter(turn(2))).toBe('early');
    await handle(1, 2, 3);
    expect(await enter(turn(5))).toBe('early');
    await handle(4, 5);
  });

  test('are passed when it or a later one was handled', async () => {
    await handle(1, 2);
    expect([await enter(turn(1)), await enter(turn(2, 'e-other'))]).toEqual(['passed', 'passed']);
  });

  test('are busy for a second event of one place, and free for the same event', async () => {
    expect(await enter(turn(1))).toBe('entered');
    expect(await enter(turn(1, 'e-other'))).toBe('busy');
    expect(await enter(turn(1))).toBe('entered');
    expect(await enter(turn(2))).toBe('early');
  });

  test('are free again when the holder gives up or its time is over', async () => {
    await enter(turn(1));
    await time.run(() => order.leave(turn(1, 'e-other')));
    expect(await enter(turn(1, 'e-other'))).toBe('busy');
    await time.run(() => order.leave(turn(1)));
    expect(await enter(turn(1, 'e-other'))).toBe('entered');
    await time.pass(10_000);
    expect(await enter(turn(1))).toBe('busy');
    await time.pass(1);
    expect(await enter(turn(1))).toBe('entered');
  });

  test('are advanced once, however often that is said', async () => {
    await handle(1);
    await handle(2);
    await advance(turn(1));
    await advance(turn(2));
    expect(await enter(turn(3))).toBe('entered');
  });

  test("are nobody else's, neither of another scope nor of another consumer", async () => {
    await enter(turn(1));
    expect(await enter(turn(1, 'e-1', 'h'))).toBe('entered');
    expect(await enter({ ...turn(1, 'e-other'), consumer: 'write-book' })).toBe('entered');
  });

  test('that only rise may leave some out, and what is not later is passed', async () => {
    await handle('05', '0A');
    expect([await enter(turn('07')), await enter(turn('0A', 'e-other'))]).toEqual(['passed', 'passed']);
    expect(await enter(turn('0B'))).toBe('entered');
    expect(await enter(turn('0C'))).toBe('busy');
  });

  test('that only rise and ran out are left to their event for an hour, for it may have been handled', async () => {
    await enter(turn('0A'));
    await time.pass(3600_000);
    expect([await enter(turn('0B')), await enter(turn('09'))]).toEqual(['busy', 'busy']);
    await time.pass(10_001);
    expect(await enter(turn('0B'))).toBe('entered');
  });

  test('are remembered for ever where they are counted, and for as long as duplicates where they only rise', async () => {
    await handle(1);
    await time.run(() => order.enter(turn('05', 'e', 'h'), 1));
    await advance(turn('05', 'e', 'h'));
    const expires = [...dynamodb.table.items.values()].map((item) => item.expires_at?.N);
    expect(expires).toEqual([undefined, String(Math.floor(time.now() / 1000) + 90 * 24 * 3600)]);
  });
});
