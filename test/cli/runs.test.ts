import {
  DescribeExecutionCommand,
  RedriveExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { Output } from '../../lib/cli/output';
import { type RunItem, resumable, resumeAll, resumeRun, withOutcomes } from '../../lib/cli/runs';
import { runListLines } from '../../lib/cli/runs/report';
import { timelineOf } from '../../lib/cli/runs/timeline';
import { PROJECT, testHost } from './test-host';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const entered = (type: string, name: string, second: number) => ({
  type: type as 'TaskStateEntered',
  id: second,
  timestamp: at(second),
  stateEnteredEventDetails: { name },
});
const exited = (name: string, second: number, outcome?: string) => ({
  type: 'TaskStateExited' as const,
  id: second,
  timestamp: at(second),
  stateExitedEventDetails: { name, output: JSON.stringify({ result: { outcome } }) },
});
const event = (type: string, second: number, more: object = {}) => ({
  type: type as 'TaskScheduled',
  id: second,
  timestamp: at(second),
  ...more,
});
const lambdaError = {
  taskFailedEventDetails: {
    resourceType: 'lambda',
    resource: 'invoke',
    error: 'Runtime.HandlerError',
    cause: '{"errorMessage": "say \\"when\\"", "trace": []}',
  },
};

test('a state that was retried tells its attempts, its errors and what it decided', () => {
  const states = timelineOf([
    event('ExecutionStarted', 0),
    entered('TaskStateEntered', 'clean-dataset', 1),
    event('TaskScheduled', 1),
    event('TaskFailed', 2, lambdaError),
    event('TaskScheduled', 4),
    event('TaskSucceeded', 5),
    exited('clean-dataset', 5, 'cleaned'),
    entered('ChoiceStateEntered', 'clean-dataset outcome', 5),
  ]);
  expect(states).toEqual([
    {
      name: 'clean-dataset',
      status: 'done',
      entered: at(1).toISOString(),
      seconds: 4,
      outcome: 'cleaned',
      attempts: 2,
      failures: [{ error: 'Runtime.HandlerError', cause: 'say "when"' }],
    },
  ]);
});

test('a state whose failure was caught is failed, and one that is not left is running', () => {
  const states = timelineOf([
    entered('TaskStateEntered', 'evaluate-model', 1),
    event('TaskScheduled', 1),
    event('TaskFailed', 3, lambdaError),
    exited('evaluate-model', 3),
    entered('TaskStateEntered', 'evaluate-model failed', 3),
    exited('evaluate-model failed', 3),
    entered('MapStateEntered', 'train-model', 4),
    event('MapIterationStarted', 4),
    entered('TaskStateEntered', 'train-model item', 5),
    entered('TaskStateEntered', 'train-model item', 6),
  ]);
  expect(states).toMatchObject([
    { name: 'evaluate-model', status: 'failed' },
    { name: 'train-model', status: 'running', items: 1, turns: 2 },
  ]);
});

const sfn = mockClient(SFNClient);
const client = new SFNClient({ region: 'us-east-1' });
const item = (id: string, status: string): RunItem => ({
  id,
  status,
  workflow: 'train-digits',
  started: at(0).toISOString(),
  seconds: 1,
  arn: `arn:${id}`,
});

beforeEach(() => {
  sfn.reset();
  sfn.on(DescribeExecutionCommand).resolves({ input: '{"run":{"id":"run-1"}}', stateMachineArn: 'machine' });
  sfn.on(StartExecutionCommand).resolves({});
});

test('where there is no redrive, a run goes on in a new execution with the same input', async () => {
  sfn.on(RedriveExecutionCommand).rejects(Object.assign(new Error('Unknown action'), { name: 'InvalidAction' }));
  const failed = item('run-1', 'FAILED');
  const again = item('run-1-r1', 'TIMED_OUT');
  expect(await resumeRun(client, again, [failed, again])).toEqual({ id: 'run-1-r2', way: 'restart' });
  expect(sfn.commandCalls(StartExecutionCommand)[0]?.args[0].input).toEqual({
    stateMachineArn: 'machine',
    name: 'run-1-r2',
    input: '{"run":{"id":"run-1"}}',
  });
});

test('where there is redrive, the execution itself goes on', async () => {
  sfn.on(RedriveExecutionCommand).resolves({});
  expect(await resumeRun(client, item('run-1', 'FAILED'), [])).toEqual({ id: 'run-1', way: 'redrive' });
  expect(sfn.commandCalls(StartExecutionCommand)).toHaveLength(0);
});

test.each(['RUNNING', 'SUCCEEDED'])('fails when an execution of the run is %s', async (status) => {
  const failed = item('run-1', 'FAILED');
  await expect(resumeRun(client, failed, [failed, item('run-1-r1', status)])).rejects.toMatchObject({ code: 'HR501' });
});

test('a run that ended early is listed by the outcome that ended it, with the day it began', async () => {
  const output = (outcome: string) => ({ output: JSON.stringify({ run: {}, result: { outcome } }) });
  sfn.on(DescribeExecutionCommand, { executionArn: 'arn:early' }).resolves(output('rejected'));
  sfn.on(DescribeExecutionCommand, { executionArn: 'arn:whole' }).resolves(output('evaluated'));
  sfn.on(DescribeExecutionCommand, { executionArn: 'arn:silent' }).rejects(new Error('too many calls'));
  const items = [
    item('early', 'SUCCEEDED'),
    item('whole', 'SUCCEEDED'),
    item('silent', 'SUCCEEDED'),
    item('broken', 'FAILED'),
  ];
  const runs = await withOutcomes(client, PROJECT, items);
  expect(runs.map(({ endedOn }) => endedOn)).toEqual(['rejected', undefined, undefined, undefined]);
  expect(sfn.commandCalls(DescribeExecutionCommand)).toHaveLength(3);
  const lines = runListLines(runs, new Output({ json: false, host: testHost() }));
  expect(lines[1]).toMatch(/^early +rejected +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +1\.0 s$/);
  expect(lines[2]).toMatch(/^whole +succeeded /);
});

describe('resuming every run', () => {
  const all = [
    item('run-1', 'FAILED'),
    item('run-2', 'FAILED'),
    item('run-2-r1', 'SUCCEEDED'),
    item('run-3', 'FAILED'),
    item('run-3-r9', 'FAILED'),
    item('run-3-r10', 'TIMED_OUT'),
    item('run-4', 'ABORTED'),
    item('run-5-r1', 'RUNNING'),
    item('run-5', 'FAILED'),
    item('run-6', 'SUCCEEDED'),
  ];
  const noRedrive = () =>
    sfn.on(RedriveExecutionCommand).rejects(Object.assign(new Error('Unknown action'), { name: 'InvalidAction' }));

  test('takes the newest execution of each run that failed or timed out, and leaves what goes on, ended or was stopped', () => {
    expect(resumable(all).map(({ id }) => id)).toEqual(['run-1', 'run-3-r10']);
  });

  test('tells of each run how it goes on', async () => {
    noRedrive();
    expect(await resumeAll(client, all, { dryRun: false })).toEqual([
      { run: 'run-1', workflow: 'train-digits', resumed: { id: 'run-1-r1', way: 'restart' } },
      { run: 'run-3', workflow: 'train-digits', resumed: { id: 'run-3-r11', way: 'restart' } },
    ]);
  });

  test('starts nothing in a dry run', async () => {
    expect((await resumeAll(client, all, { dryRun: true })).map(({ run }) => run)).toEqual(['run-1', 'run-3']);
    expect(sfn.calls()).toEqual([]);
  });

  test('takes only those that a stop of the target cut off, when asked to', async () => {
    noRedrive();
    sfn.on(DescribeExecutionCommand, { executionArn: 'arn:run-1' }).resolves({
      error: 'States.ServiceRestart',
      input: '{}',
      stateMachineArn: 'machine',
    });
    const resumed = await resumeAll(client, all, { dryRun: false, interruptedOnly: true });
    expect(resumed.map(({ run }) => run)).toEqual(['run-1']);
  });

  test('goes on with the others when one cannot go on, and says why', async () => {
    noRedrive();
    const taken = Object.assign(new Error('exists'), { name: 'ExecutionAlreadyExists' });
    sfn.on(StartExecutionCommand, { name: 'run-1-r1' }).rejects(taken);
    expect(await resumeAll(client, all, { dryRun: false })).toMatchObject([
      { run: 'run-1', skipped: 'The run was resumed by somebody else just now.' },
      { run: 'run-3', resumed: { id: 'run-3-r11' } },
    ]);
  });
});
