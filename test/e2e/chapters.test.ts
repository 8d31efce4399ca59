import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeExecutionCommand, ListMapRunsCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { OUTPUT, type Workflow } from '../../lib/module';
import { runFor } from '../../lib/runtime/start-runs';
import { raceCalled } from '../fixtures/long-project/events/race-called.v1';
import runRace from '../fixtures/long-project/workflows/run-race';
import { shortenChapters } from './support/chapters';
import { Deployed, ROOT } from './support/deployed';

jest.setTimeout(240_000);

const app = new Deployed(`${ROOT}/test/fixtures/long-project`, 'chapters');
const PACE = { turns: 4, chapters: 2 };

beforeAll(async () => {
  await app.start();
  await shortenChapters(app.pipeline, runRace as unknown as Workflow, PACE);
});
afterAll(() => app.stop());

/** Calls a race and waits for the end of its run. */
async function race(name: string, laps: number[], more: object = {}, meanwhile = async (_arn: string) => {}) {
  const [sent] = await app.publish(raceCalled.create({ race: name, laps, ...more }));
  const { id } = runFor({ name: 'run-race' }, { id: sent?.id, data: {} } as never);
  const machine = app.pipeline.output(OUTPUT.stateMachine('run-race'));
  const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${id}`;
  for (;;) {
    await sleep(100);
    const found = await app.pipeline.clients.sfn
      .send(new DescribeExecutionCommand({ executionArn }))
      .catch(() => undefined);
    if (found) await meanwhile(executionArn);
    if (found && found.status !== 'RUNNING') return { ...found, id, executionArn };
  }
}

/** The laps that were run, by runner, in order. */
async function lapsOf(run: string) {
  const keys = await app.store('runs').list(`runs/${run}/laps/`);
  const laps = new Map<number, string[]>();
  for (const key of keys) {
    const [runner = '', lap = ''] = key.split('/').slice(-2);
    laps.set(Number(runner), [...(laps.get(Number(runner)) ?? []), lap]);
  }
  return laps;
}

const laps = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(6, '0'));

test('turns below, at and beyond the length of a chapter, and of all chapters, are each taken once, in order', async () => {
  // A chapter has 4 turns; with the item's own execution there are 3 of them.
  const counts = [1, 3, 4, 5, 7, 8, 9, 11, 12];
  const run = await race('r-1', counts);
  expect(run.status).toBe('SUCCEEDED');
  const taken = await lapsOf(run.id);
  expect(counts.map((_, runner) => taken.get(runner))).toEqual(counts.map(laps));
});

test('a step that takes more turns than all chapters have ends the run with HR312, told on the bus', async () => {
  const run = await race('r-2', [2, 13]);
  expect(run.status).toBe('FAILED');
  const failed = await app.event('run.failed', { run: run.id });
  expect(failed.data).toMatchObject({
    step: 'run-lap',
    error: 'HR312',
    cause: expect.stringContaining("run-lap took 12 turns of one item and did not return 'home'"),
  });
  expect((await lapsOf(run.id)).get(1)).toEqual(laps(12));
  const maps = await app.pipeline.clients.sfn.send(new ListMapRunsCommand({ executionArn: run.executionArn }));
  expect(maps.mapRuns).toHaveLength(1);
});

test('a failure inside a chapter is told with its own error, not only that a Map failed', async () => {
  const run = await race('r-3', [9], { fall_in: 6 });
  expect(run.status).toBe('FAILED');
  const failed = await app.event('run.failed', { run: run.id });
  expect(failed.data).toMatchObject({ step: 'run-lap', cause: expect.stringContaining('Runner 0 fell') });
  expect((await lapsOf(run.id)).get(0)).toEqual(laps(6));
});

test('an item too large beside its run is refused by the step that lists it, before Step Functions would end the run', async () => {
  const run = await race('r-4', [1], { ballast: 'x'.repeat(1000), item_ballast: 300_000 });
  expect(run.status).toBe('FAILED');
  const failed = await app.event('run.failed', { run: run.id });
  expect(failed.data).toMatchObject({ step: 'list-laps', cause: expect.stringContaining('HR311') });
});

test('a run that somebody stops is told as failed, although its state machine can say nothing any more', async () => {
  const stop = (executionArn: string) =>
    app.pipeline.clients.sfn.send(new StopExecutionCommand({ executionArn })).then(
      () => undefined,
      () => undefined,
    );
  const run = await race('r-5', [12], {}, stop);
  expect(run.status).toBe('ABORTED');
  const failed = await app.event('run.failed', { run: run.id });
  expect(failed.data).toMatchObject({ step: '(the whole run)', error: 'ABORTED' });
});
