import '../support/quiet';
import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod';
import { defineEvent, NonRetriable, objectCreated, type Sequence } from '../../lib/contract';
import { defineModule } from '../../lib/module';
import { consume, LETTER, type Logic } from '../../lib/runtime';
import { Order, type Turn } from '../../lib/runtime/order';
import { Table } from '../../lib/testkit/table';
import { busEvent, lambdaContext, objectCreatedEvent, sqsEvent, sqsRecord } from '../support/aws';
import { Deployment } from '../support/deployment';
import { ManualTime } from './support/manual-time';

const moved = defineEvent({
  type: 'piece.moved',
  version: 1,
  summary: 'A piece of a game was moved',
  subject: 'game',
  sequence: 'move',
  schema: z.object({ game: z.string(), move: z.number().int() }),
  example: { game: 'g', move: 1 },
});

const watch = defineModule({ name: 'watch-game', summary: 'Watches', on: [moved], emits: [], ordered: true });

let table: Table;
let time: ManualTime;
/** The write that is to fail, once. */
let failing: string | undefined;
beforeEach(() => {
  table = new Table();
  time = new ManualTime();
  failing = undefined;
});

const dynamodb = {
  send: async (command: unknown) => {
    if (command instanceof GetItemCommand) return table.get(command.input);
    if (!(command instanceof UpdateItemCommand)) throw new Error('nothing else is sent');
    if (failing !== undefined && command.input.UpdateExpression?.includes(failing)) {
      failing = undefined;
      throw Object.assign(new Error('table out of reach'), { $metadata: { httpStatusCode: 500 } });
    }
    return table.update(command.input);
  },
};

describe('the turns of one scope', () => {
  const order = new Order(dynamodb as unknown as DynamoDBClient, 'ledger');
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

  test('are remembered for ever where they are counted, and for as long as duplicates where they only rise', async () => {
    await handle(1);
    await time.run(() => order.enter(turn('05', 'e', 'h'), 1));
    await advance(turn('05', 'e', 'h'));
    const expires = [...table.items.values()].map((item) => item.expires_at?.N);
    expect(expires).toEqual([undefined, String(Math.floor(time.now() / 1000) + 90 * 24 * 3600)]);
  });
});

describe('an ordered module', () => {
  let aws: Deployment;
  beforeEach(() => {
    aws = new Deployment();
    handled.length = 0;
  });
  afterEach(() => aws.end());

  const handled: string[] = [];
  const note: Logic<typeof watch> = async ({ data: { game, move } }) => {
    handled.push(`${game}${move}`);
    return [];
  };

  /** A message on move `move` of the game; received first so many milliseconds ago. */
  const move = (game: string, number: number, { id = `${game}${number}`, waited = 0 } = {}) => {
    const record = sqsRecord(busEvent(moved.create({ game, move: number }), { id }), { messageId: id });
    const first = String(time.now() - waited);
    return { ...record, attributes: { ...record.attributes, ApproximateFirstReceiveTimestamp: first } };
  };
  const receive = async (records: ReturnType<typeof move>[], logic = note): Promise<string[]> => {
    const answer = await time.run(() => consume(watch, logic)(sqsEvent(...records), lambdaContext()), { dynamodb });
    return (answer as SQSBatchResponse).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };
  const parked = () => aws.letters.map(({ attributes }) => JSON.parse(attributes[LETTER.error] ?? '').code ?? 'none');

  test('lets an early event wait, and handles it when the one before it has come', async () => {
    expect(await receive([move('a', 2)])).toEqual(['a2']);
    expect(aws.delays).toEqual([['receipt-of-a2', 1]]);
    expect(await receive([move('a', 1)])).toEqual([]);
    expect(await receive([move('a', 2)])).toEqual([]);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('handles a batch in order, each subject for itself', async () => {
    const batch = [move('a', 3), move('b', 2), move('a', 1), move('b', 1), move('a', 2), move('c', 2)];
    expect(await receive(batch)).toEqual(['c2']);
    expect(handled.filter((each) => each.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(handled.filter((each) => each.startsWith('b'))).toEqual(['b1', 'b2']);
    expect(handled).toHaveLength(5);
  });

  test('handles subjects side by side', async () => {
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const logic: Logic<typeof watch> = async (event, context) => {
      if (event.data.game === 'a') await held;
      else free();
      return note(event, context);
    };
    await receive([move('a', 1), move('b', 1)], logic);
    expect(handled).toEqual(['b1', 'a1']);
  });

  test('drops a duplicate, and goes on after it', async () => {
    await receive([move('a', 1)]);
    expect(await receive([move('a', 1), move('a', 2)])).toEqual([]);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('goes on where it was when a worker died between the commit and the advance', async () => {
    failing = 'SET #last';
    await expect(receive([move('a', 1)])).rejects.toThrow('table out of reach');
    expect(table.items.get('watch-game#a1')?.status?.S).toBe('done');
    expect(await receive([move('a', 2)])).toEqual(['a2']);
    expect(await receive([move('a', 1)])).toEqual([]);
    expect(await receive([move('a', 2)])).toEqual([]);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('retries an event before it takes the next', async () => {
    let failures = 2;
    const logic: Logic<typeof watch> = async (event, context) => {
      if (event.data.move === 1 && failures-- > 0) throw new Error('no light');
      return note(event, context);
    };
    const batch = [move('a', 1), move('a', 2)];
    expect(await receive(batch, logic)).toEqual(['a1', 'a2']);
    expect(await receive(batch, logic)).toEqual(['a1', 'a2']);
    expect(await receive(batch, logic)).toEqual([]);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('waits behind an event that was parked, an hour long, and goes on when that is redriven', async () => {
    const bad: Logic<typeof watch> = async (event, context) => {
      if (event.data.move === 1) throw new NonRetriable('no such square');
      return note(event, context);
    };
    expect(await receive([move('a', 1), move('a', 2)], bad)).toEqual(['a2']);
    expect(await receive([move('a', 2, { waited: 3600_000 })], bad)).toEqual(['a2']);
    expect(aws.letters).toHaveLength(1);
    expect(await receive([move('a', 2, { waited: 3600_001 })], bad)).toEqual([]);
    expect(parked()).toEqual(['none', 'HR320']);
    expect(await receive([move('a', 1), move('a', 2)])).toEqual([]);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('does not count the hour while events of the subject are handled', async () => {
    await receive([move('a', 1)]);
    await time.pass(3600_000);
    expect(await receive([move('a', 3, { waited: 7200_000 })])).toEqual(['a3']);
    await time.pass(1);
    expect(await receive([move('a', 3, { waited: 7200_000 })])).toEqual([]);
    expect(parked()).toEqual(['HR320']);
  });

  test.each([
    ['soon when it is among the next', 6, 0, 1],
    ['later when many are before it', 101, 0, 20],
    ['later the longer nothing moves', 2, 240_000, 30],
    ['within a minute at the latest', 9_999, 3600_000, 60],
  ])('looks again %s', async (_, number, waited, seconds) => {
    await receive([move('a', number, { waited })]);
    expect(aws.delays).toEqual([[`receipt-of-a${number}`, seconds]]);
  });

  test('lets an event that another is being handled before wait without an end', async () => {
    const order = new Order(dynamodb as unknown as DynamoDBClient, 'ledger');
    const turn = { consumer: 'watch-game', sequence: { scope: 'a', value: 1 }, workId: 'other' };
    await time.run(() => order.enter(turn, 60_000));
    expect(await receive([move('a', 1, { waited: 7200_000 })])).toEqual(['a1']);
    expect(aws.letters).toEqual([]);
  });

  test('parks the second of two events that claim one place', async () => {
    await receive([move('a', 1)]);
    expect(await receive([move('a', 1, { id: 'other' })])).toEqual([]);
    expect(parked()).toEqual(['HR321']);
    expect(await receive([move('a', 2)])).toEqual([]);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test.each([0, -1])('parks an event whose place is %i', async (number) => {
    await receive([move('a', number)]);
    expect(parked()).toEqual(['HR321']);
    expect(handled).toEqual([]);
  });
});

describe('an ordered module on the objects of a store', () => {
  const scan = defineModule({
    name: 'scan-essay',
    summary: 'Scans',
    on: [objectCreated('essays')],
    emits: [],
    ordered: true,
  });
  let aws: Deployment;
  const handled: string[] = [];
  beforeEach(() => {
    aws = new Deployment();
    handled.length = 0;
  });
  afterEach(() => aws.end());

  const written = (key: string, sequencer: string, id = `${key}-${sequencer}`) => {
    const event = objectCreatedEvent(key, 'essays-bucket');
    const detail = { ...event.detail, object: { ...event.detail.object, sequencer } };
    return sqsRecord({ ...event, id, detail }, { messageId: id });
  };
  const receive = (...records: ReturnType<typeof written>[]) => {
    const logic: Logic<typeof scan> = async ({ data: { object } }) => {
      handled.push(`${object.key}-${object.sequencer}`);
      return [];
    };
    return time.run(() => consume(scan, logic)(sqsEvent(...records), lambdaContext()), { dynamodb });
  };

  test('skips what is older than what it has handled, and drops ties', async () => {
    for (const record of [written('a', '0B'), written('a', '0A'), written('a', '0B', 'tie'), written('a', '0C')]) {
      expect(await receive(record)).toEqual({ batchItemFailures: [] });
    }
    expect(handled).toEqual(['a-0B', 'a-0C']);
    expect(aws.letters).toEqual([]);
  });

  test('compares sequencers as S3 says: the shorter one filled up with zeros, letters of either case', async () => {
    await receive(written('a', '00AB'));
    await receive(written('a', '00ab0'));
    await receive(written('a', '00AB01'));
    expect(handled).toEqual(['a-00AB', 'a-00AB01']);
  });

  test('keeps the objects apart', async () => {
    await receive(written('a', '0B'), written('b', '0A'), written('b', '0B'));
    expect(handled.toSorted()).toEqual(['a-0B', 'b-0A', 'b-0B']);
  });
});
