import '../support/quiet';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { defineStep } from '../../lib/module';
import { consume, type Logic, serveStep } from '../../lib/runtime';
import { lambdaContext, sqsEvent } from '../support/aws';
import { Deployment } from '../support/deployment';
import { arrived, essayGraded, gradeEssay } from '../support/essays';
import { runOf } from '../support/work';
import { ManualTime } from './support/manual-time';

let aws: Deployment;
let time: ManualTime;
beforeEach(() => {
  aws = new Deployment();
  time = new ManualTime();
});
afterEach(() => aws.end());

/** A table whose answers to these writes get lost on the way, so that the SDK sends them once more. */
function forgetful(isLost: (command: UpdateItemCommand) => boolean): { readonly dynamodb: object } {
  const table = new DynamoDBClient({});
  const send = async (command: UpdateItemCommand) => {
    if (command instanceof UpdateItemCommand && isLost(command)) await table.send(command);
    return table.send(command);
  };
  return { dynamodb: { send } };
}

const says = (text: string) => (command: UpdateItemCommand) => command.input.UpdateExpression?.includes(text) ?? false;

const grade: Logic<typeof gradeEssay> = async ({ data }) => [essayGraded.create({ essay: data.essay, grade: 1 })];
const failing: Logic<typeof gradeEssay> = async () => {
  throw new Error('no ink');
};
const receive = (logic: Logic<typeof gradeEssay>, isLost: (command: UpdateItemCommand) => boolean, ids = ['e-1']) =>
  time.run(
    () => consume(gradeEssay, logic)(sqsEvent(...ids.map((id) => arrived(id))), lambdaContext()),
    forgetful(isLost),
  );
const item = () => aws.table.items.get('grade-essay#e-1');

describe('when the answer gets lost', () => {
  test.each([
    ['to taking the lease', says(':leased')],
    ['to the commit', says(':done')],
    ['to the note that the outbox was sent', says('sent = :yes')],
    ['to every write', () => true],
  ])('%s, the event is handled once and published once', async (_, isLost) => {
    const logic = jest.fn(grade);
    expect(await receive(logic, isLost)).toEqual({ batchItemFailures: [] });
    expect(logic).toHaveBeenCalledTimes(1);
    expect(aws.published).toHaveLength(1);
    expect(item()).toMatchObject({
      status: { S: 'done' },
      sent: { BOOL: true },
      fence: { N: '1' },
      attempts: { N: '1' },
    });
  });

  test('to taking several leases, each event counts one attempt', async () => {
    const attempts: number[] = [];
    await receive(
      async (event, context) => {
        attempts.push(context.attempt);
        return grade(event, context);
      },
      () => true,
      ['e-1', 'e-2', 'e-3'],
    );
    expect(attempts).toEqual([1, 1, 1]);
    expect(aws.published).toHaveLength(3);
  });

  test('to giving the lease back, the next attempt finds it free', async () => {
    await receive(failing, () => true);
    expect(item()).toMatchObject({ lease_until: { N: '0' }, attempts: { N: '1' } });
    expect(await receive(grade, () => true)).toEqual({ batchItemFailures: [] });
    expect(aws.published).toHaveLength(1);
  });

  test('to taking the lease of work that is given up, it is parked once', async () => {
    for (const _ of [1, 2, 3]) await receive(failing, () => true);
    expect(aws.letters).toHaveLength(1);
  });

  test('to every write of a step, it is done once and emits once', async () => {
    const mark = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [essayGraded] });
    const logic = jest.fn(async () => ({ outcome: 'marked', events: [essayGraded.create(essayGraded.example)] }));
    const call = () =>
      time.run(
        () => serveStep(mark, logic)({ run: runOf({}), turn: 0 }, lambdaContext()),
        forgetful(() => true),
      );
    expect(await call()).toEqual({ outcome: 'marked' });
    expect(await call()).toEqual({ outcome: 'marked' });
    expect(logic).toHaveBeenCalledTimes(1);
    expect(aws.published).toHaveLength(1);
  });
});

test('a commit that another worker was faster with is not taken for our own', async () => {
  const overtaken: Logic<typeof gradeEssay> = async (event, context) => {
    await time.pass(62_000);
    await receive(grade, () => false);
    return grade(event, context);
  };
  expect(await receive(overtaken, () => true)).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-e-1' }] });
  expect(aws.published).toHaveLength(1);
  expect(item()).toMatchObject({ fence: { N: '2' } });
});
