import '../support/quiet';
import { deterministicId } from '../../lib/contract';
import { consume, type Logic } from '../../lib/runtime';
import { lambdaContext, sqsEvent } from '../support/aws';
import { Deployment } from '../support/deployment';
import { arrived, essayGraded, gradeEssay } from '../support/essays';

let aws: Deployment;
beforeEach(() => {
  aws = new Deployment();
});
afterEach(() => aws.end());

/** Names of the replays by which the logic was called; `live` for none. */
const calls: string[] = [];
const effects: string[] = [];
beforeEach(() => {
  calls.length = 0;
  effects.length = 0;
});

const grade: Logic<typeof gradeEssay> = async ({ data, replayed }, { once }) => {
  calls.push(replayed ?? 'live');
  await once('pay', async (token) => effects.push(token));
  return [essayGraded.create({ essay: data.essay, grade: 1 })];
};

/** Delivers the event, as the bus does, or as a replay with these fields does. */
async function deliver(replay: object = {}, logic = grade): Promise<void> {
  const record = arrived('e-1');
  const body = JSON.stringify({ ...JSON.parse(record.body), ...replay });
  const answer = await consume(gradeEssay, logic)(sqsEvent({ ...record, body }), lambdaContext());
  expect(answer).toEqual({ batchItemFailures: [] });
}

const named = (name: string, more: object = {}) => ({ 'replay-name': name, ...more });
const again = { 'replay-again': true };
const emit = { 'replay-emit': true };
const item = (key = 'grade-essay#e-1') => aws.table.items.get(key);
const idOf = (workId: string) => deterministicId('grade-essay', workId, 0);

test('the logic is told by which replay an event comes, and of a live one nothing', async () => {
  await deliver(named('march'));
  expect(calls).toEqual(['march']);
});

test('a live event has no name of a replay', async () => {
  await deliver();
  expect(calls).toEqual(['live']);
});

describe('what was handled before', () => {
  test('is dropped when it is replayed, also by several replays', async () => {
    await deliver();
    await deliver(named('march'));
    await deliver(named('april', emit));
    expect(calls).toEqual(['live']);
    expect(aws.published).toHaveLength(1);
  });

  test('is dropped when it comes live after a replay', async () => {
    await deliver(named('march'));
    await deliver();
    expect(calls).toEqual(['march']);
  });

  test('is handled once more by each replay that says so, however often that delivers it', async () => {
    await deliver();
    for (const name of ['march', 'march', 'april', 'march', 'april']) await deliver(named(name, again));
    expect(calls).toEqual(['live', 'march', 'april']);
  });

  test('is not handled again by a live duplicate, when a replay handled it again', async () => {
    await deliver(named('march', again));
    await deliver();
    await deliver();
    expect(calls).toEqual(['march', 'live']);
  });
});

describe('what follows from a replayed event', () => {
  test('is committed and kept from the bus, with the name of the replay', async () => {
    await deliver(named('march'));
    expect(aws.published).toEqual([]);
    expect(item()).toMatchObject({ status: { S: 'done' }, fenced: { S: 'march' }, sent: { BOOL: false } });
    expect(JSON.parse(item()?.outbox?.S ?? '')).toMatchObject([{ id: idOf('e-1'), type: 'essay.graded' }]);
  });

  test.each([
    ['the same replay', named('march')],
    ['another replay', named('april')],
  ])('is not sent later, when %s delivers the event again', async (_, second) => {
    await deliver(named('march'));
    await deliver(second);
    expect(aws.published).toEqual([]);
  });

  test.each([
    ['the bus', {}],
    ['a replay that sends', named('april', emit)],
  ])('is sent once when %s delivers the event too: no replay swallows what was still to come', async (_, second) => {
    await deliver(named('march'));
    await deliver(second);
    await deliver(second);
    expect(calls).toEqual(['march']);
    expect(aws.published.map(({ id }) => id)).toEqual([idOf('e-1')]);
  });

  test('is sent when the replay says so, under the same ids as ever', async () => {
    await deliver(named('march', emit));
    expect(aws.published.map(({ id }) => id)).toEqual([idOf('e-1')]);
    expect(item()?.fenced).toBeUndefined();
  });

  test('has ids of its own when the event is handled once more, the same for every attempt', async () => {
    const logic = jest.fn(grade);
    await deliver();
    await deliver(named('march', { ...again, ...emit }), logic);
    await deliver(named('march', { ...again, ...emit }), logic);
    expect(aws.published.map(({ id }) => id)).toEqual([idOf('e-1'), idOf('e-1@march')]);
    expect(aws.published[1]).toMatchObject({ causationid: 'e-1', correlationid: 'e-1', hops: 1 });
  });

  test('is kept from the bus when the event is handled once more by a replay that does not send', async () => {
    await deliver();
    await deliver(named('march', again));
    expect(aws.published).toHaveLength(1);
    expect(item('grade-essay#e-1@march')).toMatchObject({ fenced: { S: 'march' }, sent: { BOOL: false } });
  });
});

describe('an effect that is done once', () => {
  test('is not done again when the event is handled once more', async () => {
    await deliver();
    await deliver(named('march', again));
    await deliver(named('april', again));
    expect(calls).toEqual(['live', 'march', 'april']);
    expect(effects).toEqual(['grade-essay#e-1#pay']);
  });

  test('has the same token whoever comes first, so that its service knows it again', async () => {
    await deliver(named('march', again));
    await deliver();
    expect(effects).toEqual(['grade-essay#e-1#pay', 'grade-essay#e-1#pay']);
  });

  test('is done by the repeated handling when the first had none of that name', async () => {
    await deliver();
    const paysMore: Logic<typeof gradeEssay> = async (_, { once }) => {
      await once('tip', async (token) => effects.push(token));
      return [];
    };
    await deliver(named('march', again), paysMore);
    expect(effects).toEqual(['grade-essay#e-1#pay', 'grade-essay#e-1#tip']);
  });
});
