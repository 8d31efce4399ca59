import '../support/quiet';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { consume, type Logic } from '../../lib/runtime';
import { isTransient } from '../../lib/runtime/transient';
import { lambdaContext, sqsEvent } from '../support/aws';
import { Deployment } from '../support/deployment';
import { arrived, essayGraded, gradeEssay } from '../support/essays';
import { ManualTime } from './support/manual-time';

const failure = (more: object) => Object.assign(new Error('failed'), more);
const answered = (httpStatusCode: number, name = 'Error') => failure({ name, $metadata: { httpStatusCode } });

describe('a failure passes by itself', () => {
  test.each([
    ['the service throttles, which some say with a 400', answered(400, 'ThrottlingException')],
    ['the table throttles', answered(400, 'ProvisionedThroughputExceededException')],
    ['Lambda throttles', answered(429, 'TooManyRequestsException')],
    ['the bucket throttles', answered(503, 'SlowDown')],
    ['the service is out of order', answered(500)],
    ['the SDK says so', failure({ $retryable: {} })],
    ['the connection broke', failure({ code: 'ECONNRESET' })],
    ['nobody answers at the address', failure({ code: 'ECONNREFUSED' })],
    ['the name is not known for the moment', failure({ code: 'EAI_AGAIN' })],
    ['no answer came in time', failure({ name: 'TimeoutError' })],
  ])('when %s', (_, error) => expect(isTransient(error)).toBe(true));

  test.each([
    ['the request is wrong', answered(400, 'ValidationException')],
    ['access is denied', answered(403, 'AccessDeniedException')],
    ['the condition does not hold', answered(400, 'ConditionalCheckFailedException')],
    ['the logic fails', new Error('no ink')],
    ['a file is missing', failure({ code: 'ENOENT' })],
    ['nothing was thrown', undefined],
    ['a text was thrown', 'ThrottlingException'],
    ['null was thrown', null],
  ])('but not when %s', (_, error) => expect(isTransient(error)).toBe(false));
});

describe('an event', () => {
  let aws: Deployment;
  let time: ManualTime;
  beforeEach(() => {
    aws = new Deployment();
    time = new ManualTime();
  });
  afterEach(() => aws.end());

  const grade: Logic<typeof gradeEssay> = async ({ data }) => [essayGraded.create({ essay: data.essay, grade: 1 })];
  const failWith =
    (error: Error): Logic<typeof gradeEssay> =>
    async () => {
      throw error;
    };
  /** @param received - how often SQS has handed the message out */
  const receive = (logic: Logic<typeof gradeEssay>, received = 1) => {
    const record = arrived('e-1');
    const attributes = { ...record.attributes, ApproximateReceiveCount: String(received) };
    return time.run(() => consume(gradeEssay, logic)(sqsEvent({ ...record, attributes }), lambdaContext()));
  };
  const retried = { batchItemFailures: [{ itemIdentifier: 'message-e-1' }] };
  const item = () => aws.table.items.get('grade-essay#e-1');

  test('loses no attempt to the weather of AWS, and waits longer each time', async () => {
    const throttled = failWith(answered(400, 'ThrottlingException'));
    for (let received = 1; received <= 12; received++) expect(await receive(throttled, received)).toEqual(retried);
    expect(item()?.attempts?.N).toBe('0');
    expect(aws.letters).toEqual([]);
    expect(aws.delays.map(([, seconds]) => seconds)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300]);
    const seen: number[] = [];
    await receive(async (event, context) => {
      seen.push(context.attempt);
      return grade(event, context);
    });
    expect(seen).toEqual([1]);
    expect(aws.published).toHaveLength(1);
  });

  test('keeps the attempts that its own failures took', async () => {
    await receive(failWith(new Error('no ink')));
    await receive(failWith(answered(503)));
    await receive(failWith(new Error('no ink')));
    expect(item()?.attempts?.N).toBe('2');
    expect(aws.letters).toEqual([]);
    await receive(failWith(new Error('no ink')));
    expect(aws.letters).toHaveLength(1);
  });

  test('that is handled is never parked, however long the bus refuses what follows from it', async () => {
    const logic = jest.fn(grade);
    aws.bus.on(PutEventsCommand).rejects(answered(400, 'AccessDeniedException'));
    expect(await receive(logic)).toEqual(retried);
    for (let received = 2; received <= 2 * gradeEssay.retry.attempts; received++) {
      await expect(receive(logic, received)).rejects.toThrow('failed');
    }
    expect(logic).toHaveBeenCalledTimes(1);
    expect(aws.letters).toEqual([]);
    expect(aws.delays).toHaveLength(2 * gradeEssay.retry.attempts);
    aws.bus.on(PutEventsCommand).resolves({ Entries: [{ EventId: '1' }] });
    expect(await receive(logic)).toEqual({ batchItemFailures: [] });
    expect(item()).toMatchObject({ status: { S: 'done' }, sent: { BOOL: true } });
  });

  test('whose outbox the bus throttles away is handled, and its outbox is sent by a later delivery', async () => {
    const logic = jest.fn(grade);
    aws.bus.on(PutEventsCommand).resolves({ Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'wait' }] });
    const answer = receive(logic);
    await time.pass(60_000);
    expect(await answer).toEqual(retried);
    expect(item()).toMatchObject({ status: { S: 'done' }, sent: { BOOL: false } });
    aws.bus.on(PutEventsCommand).resolves({ Entries: [{ EventId: '1' }] });
    expect(await receive(logic, 2)).toEqual({ batchItemFailures: [] });
    expect(logic).toHaveBeenCalledTimes(1);
  });
});
