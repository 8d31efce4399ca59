import '../support/quiet';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteMessageCommand } from '@aws-sdk/client-sqs';
import { deterministicId, NonRetriable } from '../../lib/contract';
import { consume, LETTER, Ledger, type Logic } from '../../lib/runtime';
import { dynamodb } from '../../lib/runtime/clients';
import { busEvent, lambdaContext, sqsEvent, sqsRecord } from '../support/aws';
import { NOW } from '../support/clock';
import { Deployment } from '../support/deployment';
import { arrived, essayArrived, essayGraded, gradeEssay } from '../support/essays';

let aws: Deployment;
beforeEach(() => {
  aws = new Deployment();
});
afterEach(() => aws.end());

const grade: Logic<typeof gradeEssay> = async ({ data }) => [essayGraded.create({ essay: data.essay, grade: 1 })];
const failing: Logic<typeof gradeEssay> = async () => {
  throw new Error('no ink');
};

const receive = (logic: Logic<typeof gradeEssay>, ...records: ReturnType<typeof arrived>[]) =>
  consume(gradeEssay, logic)(sqsEvent(...records), lambdaContext());
const failures = (...ids: string[]) => ({
  batchItemFailures: ids.map((id) => ({ itemIdentifier: `message-${id}` })),
});
const parkedError = (letter = aws.letters[0]) => JSON.parse(letter?.attributes[LETTER.error] ?? '');

describe('an event', () => {
  test('is handled, and what follows from it is published with the chain carried on', async () => {
    expect(await receive(grade, arrived('e-1'))).toEqual(failures());
    expect(aws.published).toMatchObject([
      {
        id: deterministicId('grade-essay', 'e-1', 0),
        type: 'essay.graded',
        correlationid: 'e-1',
        causationid: 'e-1',
        hops: 1,
        data: { essay: 'e-1', grade: 1 },
      },
    ]);
    expect(aws.letters).toEqual([]);
  });

  test('is committed before anything of it is published', async () => {
    const order: string[] = [];
    aws.bus.on(PutEventsCommand).callsFake(() => {
      order.push(`published when ${aws.table.items.get('grade-essay#e-1')?.status?.S}`);
      return { Entries: [{}] };
    });
    await receive(grade, arrived('e-1'));
    expect(order).toEqual(['published when done']);
  });

  test('delivered again is not handled again, and nothing is published twice', async () => {
    const logic = jest.fn(grade);
    await receive(logic, arrived('e-1'));
    expect(await receive(logic, arrived('e-1'))).toEqual(failures());
    expect(logic).toHaveBeenCalledTimes(1);
    expect(aws.published).toHaveLength(1);
  });

  test('whose worker died before publishing is published by the next delivery, under the same ids', async () => {
    const logic = jest.fn(grade);
    aws.failBusOnce();
    expect(await receive(logic, arrived('e-1'))).toEqual(failures('e-1'));
    expect(await receive(logic, arrived('e-1'))).toEqual(failures());
    expect(logic).toHaveBeenCalledTimes(1);
    const [first, second, ...more] = aws.published;
    expect(second).toEqual(first);
    expect(more).toEqual([]);
    await receive(logic, arrived('e-1'));
    expect(aws.published).toHaveLength(2);
  });

  test('that another worker has in hand comes back when the lease is over', async () => {
    await new Ledger(dynamodb(), 'ledger').acquire('grade-essay', 'e-1', { leaseMs: 30_000 });
    const logic = jest.fn(grade);
    expect(await receive(logic, arrived('e-1'))).toEqual(failures('e-1'));
    expect(logic).not.toHaveBeenCalled();
    expect(aws.delays).toEqual([['receipt-of-message-e-1', 30]]);
  });

  test('is leased for a second longer than the invocation may last', async () => {
    const before = Date.now();
    let until = 0;
    await receive(async () => {
      until = Number(aws.table.items.get('grade-essay#e-1')?.lease_until?.N);
      return [];
    }, arrived('e-1'));
    expect(until - before).toBeGreaterThanOrEqual(61_000);
    expect(until - before).toBeLessThan(63_000);
  });
});

describe('an event whose logic fails', () => {
  test('is retried after a backoff, and its siblings are done', async () => {
    const logic: Logic<typeof gradeEssay> = async (event, context) =>
      event.id === 'bad' ? failing(event, context) : grade(event, context);
    expect(await receive(logic, arrived('e-1'), arrived('bad'), arrived('e-2'))).toEqual(failures('bad'));
    expect(aws.published.map(({ data }) => data.essay)).toEqual(['e-1', 'e-2']);
    expect(aws.delays).toEqual([['receipt-of-message-bad', expect.any(Number)]]);
    expect(aws.letters).toEqual([]);
  });

  test('waits longer from attempt to attempt, and the attempt is known to the logic', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.999);
    const attempts: number[] = [];
    const logic: Logic<typeof gradeEssay> = async (event, context) => {
      attempts.push(context.attempt);
      return failing(event, context);
    };
    await receive(logic, arrived('e-1'));
    await receive(logic, arrived('e-1'));
    random.mockRestore();
    expect(aws.delays.map(([, seconds]) => seconds)).toEqual([2, 4]);
    expect(attempts).toEqual([1, 2]);
  });

  test('is parked with its attempts when they are used up', async () => {
    const record = arrived('e-1');
    for (const _ of [1, 2]) expect(await receive(failing, record)).toEqual(failures('e-1'));
    expect(await receive(failing, record)).toEqual(failures());
    expect(aws.letters).toMatchObject([
      {
        queue: 'https://sqs/dead-letters',
        body: record.body,
        attributes: { [LETTER.reason]: 'attempts', [LETTER.attempts]: '3' },
      },
    ]);
    expect(parkedError()).toMatchObject({ name: 'Error', message: 'no ink' });
  });

  test('redriven from the dead letters has all its attempts again', async () => {
    const record = arrived('e-1');
    for (const _ of [1, 2, 3]) await receive(failing, record);
    expect(aws.letters).toHaveLength(1);
    expect(await receive(failing, record)).toEqual(failures('e-1'));
    expect(await receive(grade, record)).toEqual(failures());
    expect(aws.published).toHaveLength(1);
    expect(aws.letters).toHaveLength(1);
  });
});

describe('a message that no retry can mend', () => {
  test('is parked at once with its reason, and its siblings are done', async () => {
    const logic: Logic<typeof gradeEssay> = async (event, context) => {
      if (event.id === 'bad') throw new NonRetriable('the essay is blank');
      return grade(event, context);
    };
    const poison = arrived('bad');
    expect(await receive(logic, arrived('e-1'), poison, arrived('e-2'))).toEqual(failures());
    expect(aws.published.map(({ data }) => data.essay)).toEqual(['e-1', 'e-2']);
    expect(aws.letters).toEqual([
      {
        queue: 'https://sqs/dead-letters',
        body: poison.body,
        attributes: {
          [LETTER.error]: expect.any(String),
          [LETTER.reason]: 'poison',
          [LETTER.attempts]: '1',
          [LETTER.firstReceived]: NOW.toISOString(),
          [LETTER.parkedAt]: expect.stringMatching(/^\d{4}-.*Z$/),
          [LETTER.module]: 'grade-essay',
          [LETTER.codeVersion]: 'v7',
        },
      },
    ]);
    expect(parkedError()).toMatchObject({ name: 'NonRetriable', message: 'the essay is blank' });
  });

  test.each([
    ['it is no JSON', 'hello', 'HR103'],
    ['it is no event', '{}', 'HR103'],
    ['its data breaks the contract', arrived('bad', { words: -1 }).body, 'HR102'],
    ['nobody knows its type', JSON.stringify(busEvent(essayGraded.create(essayGraded.example))), 'HR105'],
  ])('is parked unopened when %s', async (_, body, code) => {
    const logic = jest.fn(grade);
    const record = sqsRecord(body, { messageId: 'message-bad' });
    expect(await receive(logic, record, arrived('e-1'))).toEqual(failures());
    expect(logic).toHaveBeenCalledTimes(1);
    expect(aws.letters).toMatchObject([{ body, attributes: { [LETTER.reason]: 'poison' } }]);
    expect(parkedError()).toMatchObject({ code });
  });

  test('leaves the queue as soon as it is parked, so that it is parked once though a sibling kills the function', async () => {
    const broken = sqsRecord('hello', { messageId: 'message-bad' });
    await receive(grade, broken, arrived('e-1'));
    expect(aws.deleted).toEqual(['receipt-of-message-bad']);
    aws.queues.on(DeleteMessageCommand).rejects(new Error('queue out of reach'));
    expect(await receive(grade, broken)).toEqual(failures());
  });

  test('is parked at the end of a chain that only a circle can make, and the longest allowed chain is not', async () => {
    const atHop = (hops: number) => {
      const event = busEvent(essayArrived.create(essayArrived.example), { id: `e-${hops}` });
      return sqsRecord({ ...event, detail: { ...event.detail, hops } });
    };
    await receive(grade, atHop(15));
    expect(aws.letters).toEqual([]);
    await receive(grade, atHop(16));
    expect(aws.published).toHaveLength(1);
    expect(parkedError()).toMatchObject({ code: 'HR309', message: expect.stringContaining('began with e-16') });
  });

  test('names the path of the broken field in its letter', async () => {
    await receive(grade, arrived('bad', { words: -1 }));
    expect(parkedError().message).toContain('words = -1');
  });

  test('is parked when the module emits what it does not declare', async () => {
    const stray = async () => [essayArrived.create(essayArrived.example)];
    expect(await receive(stray as never, arrived('e-1'))).toEqual(failures());
    expect(parkedError()).toMatchObject({ code: 'HR302' });
    expect(parkedError().message).toContain("Got 'essay.arrived version 1'. Allowed: essay.graded version 1.");
    expect(aws.published).toEqual([]);
  });

  test('is parked when the module creates data that breaks the contract', async () => {
    await receive(async () => [essayGraded.create({ essay: 'e-1', grade: 7 })], arrived('e-1'));
    expect(parkedError()).toMatchObject({ code: 'HR102' });
  });
});

describe('a worker that was fenced off', () => {
  test('publishes nothing, and its message comes back', async () => {
    const overtaken: Logic<typeof gradeEssay> = async (event, context) => {
      await new Ledger(dynamodb(), 'ledger').acquire('grade-essay', 'e-1', { leaseMs: 60_000, takeOver: true });
      return grade(event, context);
    };
    expect(await receive(overtaken, arrived('e-1'))).toEqual(failures('e-1'));
    expect(aws.published).toEqual([]);
    expect(aws.letters).toEqual([]);
  });

  test('that fails itself does not take the lease from the other', async () => {
    const overtaken: Logic<typeof gradeEssay> = async (event, context) => {
      await new Ledger(dynamodb(), 'ledger').acquire('grade-essay', 'e-1', { leaseMs: 60_000, takeOver: true });
      return failing(event, context);
    };
    expect(await receive(overtaken, arrived('e-1'))).toEqual(failures('e-1'));
    expect(aws.table.items.get('grade-essay#e-1')).toMatchObject({ status: { S: 'leased' }, fence: { N: '2' } });
    expect(Number(aws.table.items.get('grade-essay#e-1')?.lease_until?.N)).toBeGreaterThan(Date.now());
  });
});

describe('when AWS fails around one message', () => {
  test('its siblings are done, and it comes back', async () => {
    aws.failLedgerFor('grade-essay#bad');
    expect(await receive(grade, arrived('bad'), arrived('e-1'))).toEqual(failures('bad'));
    expect(aws.published.map(({ data }) => data.essay)).toEqual(['e-1']);
  });

  test('fails as a whole when it fails around every message, so that the alarm sees it', async () => {
    aws.failLedgerFor('grade-essay#bad');
    await expect(receive(grade, arrived('bad'))).rejects.toThrow('table out of reach');
  });
});
