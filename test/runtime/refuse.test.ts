import '../support/quiet';
import { ENV } from '../../lib/module';
import { consume, LETTER, publish } from '../../lib/runtime';
import { eventbridge } from '../../lib/runtime/clients';
import { busEvent, lambdaContext, sqsEvent, sqsRecord } from '../support/aws';
import { Deployment } from '../support/deployment';
import { essayArrived, essayGraded, gradeEssay } from '../support/essays';
import { lateRefusal } from '../support/refusal';
import { ManualTime } from './support/manual-time';

const MAX_AGE_MS = 89 * 24 * 3600 * 1000;

let aws: Deployment;
let time: ManualTime;
beforeEach(() => {
  aws = new Deployment();
  time = new ManualTime();
});
afterEach(() => aws.end());

const receive = (detail: object, born = new Date(time.now())) => {
  const event = busEvent(essayArrived.create(essayArrived.example), { id: 'e-1', time: born });
  const record = sqsRecord({ ...event, detail: { ...event.detail, ...detail } });
  const logic = async () => [essayGraded.create(essayGraded.example)];
  return time.run(() => consume(gradeEssay, logic)(sqsEvent(record), lambdaContext()));
};
const parked = () => JSON.parse(aws.letters[0]?.attributes[LETTER.error] ?? '{}');

describe('an event', () => {
  test.each([
    [-1, undefined],
    [0, undefined],
    [1, 'HR310'],
  ])('of 89 days and %i ms: parked with %s', async (more, code) => {
    await receive({}, new Date(time.now() - MAX_AGE_MS - more));
    expect(parked().code).toBe(code);
    expect(aws.published).toHaveLength(code ? 0 : 1);
  });

  test('from a clock that is ahead is handled', async () => {
    await receive({}, new Date(time.now() + 3600_000));
    expect(aws.published).toHaveLength(1);
  });

  test.each([
    ['15 where nothing else is said', undefined, 15],
    ['what the environment says', '3', 3],
    ['what the environment says, also a longer one', '40', 40],
  ])('may have as many others before it as %s', async (_, setting, most) => {
    if (setting) process.env[ENV.maxHops] = setting;
    await receive({ hops: most });
    expect(aws.letters).toEqual([]);
    await receive({ hops: most + 1, trail: 'a.b/1 c.d/2', id: 'e-2' });
    delete process.env[ENV.maxHops];
    expect(aws.published).toHaveLength(1);
    expect(parked().code).toBe('HR309');
    expect(parked().message).toContain(`a chain of ${most + 1} others, which began with e-1: a.b/1 c.d/2.`);
    expect(parked().message).toContain(`Allowed: up to ${most}.`);
  });
});

test.each([
  [0, undefined],
  [1, 'HR310'],
])('a fact of 89 days and %i ms ago is published, or refused with %s', async (more, code) => {
  const options = { client: eventbridge(), bus: 'bus', time: new Date(time.now() - MAX_AGE_MS - more) };
  const publishing = time.run(() => publish([essayGraded.create(essayGraded.example)], options));
  if (code) expect((await lateRefusal(publishing)).code).toBe(code);
  else await publishing;
  expect(aws.published).toHaveLength(code ? 0 : 1);
});
