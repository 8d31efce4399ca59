import '../support/quiet';
import type { SQSBatchResponse } from 'aws-lambda';
import * as z from 'zod';
import { defineEvent, NonRetriable } from '../../lib/contract';
import { defineModule, on } from '../../lib/module';
import { consume, LETTER, type Logic } from '../../lib/runtime';
import { Order } from '../../lib/runtime/order';
import { busEvent, lambdaContext, sqsEvent, sqsRecord } from '../support/aws';
import { Deployment } from '../support/deployment';
import { ManualTime } from './support/manual-time';
import { TableClient } from './support/table-client';

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

/** Its contract takes any number for a place. */
const watchLoosely = {
  ...watch,
  on: [on({ ...moved, schema: z.object({ game: z.string(), move: z.number() }) })],
} as unknown as typeof watch;

let dynamodb: TableClient;
let time: ManualTime;
beforeEach(() => {
  dynamodb = new TableClient();
  time = new ManualTime();
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
  const receive = async (records: ReturnType<typeof move>[], logic = note, module = watch): Promise<string[]> => {
    const answer = await time.run(() => consume(module, logic)(sqsEvent(...records), lambdaContext()), { dynamodb });
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
    dynamodb.failOnce('SET #last');
    await expect(receive([move('a', 1)])).rejects.toThrow('table out of reach');
    expect(dynamodb.table.items.get('watch-game#a1')?.status?.S).toBe('done');
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
    const order = new Order(dynamodb.client, 'ledger');
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

  test.each([0, -1, 1.5, 2 ** 53, 1e200])('parks an event whose place is %d', async (number) => {
    const record = move('a', 1);
    await receive([{ ...record, body: record.body.replace('"move":1', `"move":${number}`) }], note, watchLoosely);
    expect(parked()).toEqual(['HR321']);
    expect(handled).toEqual([]);
  });

  test('parks an event whose subject is too long for the key under which its order would be kept', async () => {
    await receive([move('ä'.repeat(1_100), 1, { id: 'long' })]);
    expect(parked()).toEqual(['HR321']);
    expect(handled).toEqual([]);
    expect(await receive([move('ä'.repeat(900), 1, { id: 'fits' })])).toEqual([]);
    expect(handled).toHaveLength(1);
  });
});
