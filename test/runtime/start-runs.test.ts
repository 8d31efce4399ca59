import '../support/quiet';
import { ExecutionAlreadyExists, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { defineStep, defineWorkflow, executionEnded, run, runSchema } from '../../lib/module';
import { runFor, startRuns } from '../../lib/runtime';
import { lambdaContext, sqsEvent, sqsRecord } from '../support/aws';
import { NOW } from '../support/clock';
import { Deployment } from '../support/deployment';
import { arrived, essayArrived } from '../support/essays';

const workflow = defineWorkflow({
  name: 'grade-essays',
  summary: 'Grades essays',
  on: [essayArrived],
  plan: [run(defineStep({ name: 'mark-essay', summary: 'Marks', emits: [] }))],
});

let aws: Deployment;
beforeEach(() => {
  aws = new Deployment();
  aws.states.on(StartExecutionCommand).resolves({});
});
afterEach(() => aws.end());

const receive = (...ids: string[]) => startRuns(workflow)(sqsEvent(...ids.map((id) => arrived(id))), lambdaContext());
const started = () => aws.states.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input);

test('an event starts one run, named after the workflow and the event', async () => {
  await receive('e-1');
  expect(started()).toEqual([
    {
      stateMachineArn: 'arn:aws:states:eu-west-1:111122223333:stateMachine:machine',
      name: expect.stringMatching(/^grade-essays-[0-9a-f]{16}$/),
      input: expect.any(String),
    },
  ]);
  const input = JSON.parse(started()[0]?.input ?? '');
  expect(runSchema.parse(input.run)).toEqual(input.run);
  expect(input.run).toMatchObject({
    id: started()[0]?.name,
    workflow: 'grade-essays',
    event: { id: 'e-1', type: 'essay.arrived', correlationId: 'e-1', hops: 0, data: { essay: 'e-1', words: 300 } },
  });
});

test('two events start two runs', async () => {
  await receive('e-1', 'e-2');
  expect(new Set(started().map(({ name }) => name)).size).toBe(2);
});

test('the same event again starts nothing', async () => {
  await receive('e-1');
  await receive('e-1');
  expect(started()).toHaveLength(1);
});

test('a run that was started before the worker died counts as started', async () => {
  aws.states.on(StartExecutionCommand).rejects(new ExecutionAlreadyExists({ message: 'exists', $metadata: {} }));
  expect(await receive('e-1')).toEqual({ batchItemFailures: [] });
});

test('a run that could not be started is tried again under the same name', async () => {
  aws.states.on(StartExecutionCommand).rejectsOnce(new Error('throttled')).resolves({});
  expect(await receive('e-1')).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-e-1' }] });
  await receive('e-1');
  const [first, second] = started();
  expect(second).toEqual(first);
});

test('the trace goes with the run', () => {
  const event = { id: 'e', type: 't', source: 's', time: 'now', subject: 'x', version: 1, correlationId: 'c', hops: 0 };
  expect(runFor(workflow, { ...event, traceparent: '00-1-2-01', data: {} }).event.traceparent).toBe('00-1-2-01');
});

describe('the end of an execution', () => {
  const MACHINE = 'arn:aws:states:eu-west-1:111122223333:stateMachine:machine';
  const ended = (status: string, more: object = {}) => ({
    id: `ended-${status}`,
    source: executionEnded.source,
    'detail-type': executionEnded.detailType,
    time: NOW.toISOString(),
    detail: { executionArn: 'arn', stateMachineArn: MACHINE, name: 'grade-essays-0f3c-r2', status, ...more },
  });
  const hear = async (event: object) => {
    await startRuns(workflow)(sqsEvent(sqsRecord(event)), lambdaContext());
    expect(started()).toEqual([]);
    return aws.published.map(({ type, data }) => ({ type, data }));
  };

  test.each([
    ['was stopped', ended('ABORTED'), 'ABORTED'],
    ['ran out of time', ended('TIMED_OUT'), 'TIMED_OUT'],
    [
      'outgrew its state',
      ended('FAILED', { error: 'States.DataLimitExceeded', cause: 'Too large' }),
      'States.DataLimitExceeded',
    ],
    ['failed past its catches', ended('FAILED', { error: 'States.Runtime', cause: 'No path' }), 'States.Runtime'],
  ])('that %s is told, for its state machine could not', async (_, event, error) => {
    expect(await hear(event)).toMatchObject([
      {
        type: 'run.failed',
        data: { run: 'grade-essays-0f3c', workflow: 'grade-essays', step: '(the whole run)', error },
      },
    ]);
  });

  test.each([
    ['failed as its state machine has told', ended('FAILED', { error: 'Runtime.HandlerError', cause: 'No ink' })],
    ['is of another machine', ended('ABORTED', { stateMachineArn: `${MACHINE}-2` })],
  ])('that %s is not told', async (_, event) => {
    expect(await hear(event)).toEqual([]);
  });
});
