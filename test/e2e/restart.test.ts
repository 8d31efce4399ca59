import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { deploy } from '../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../lib/cli/pipeline';
import { findRun, listRuns, resumeInterrupted } from '../../lib/cli/runs';
import { OUTPUT } from '../../lib/module';
import { publish, S3Store } from '../../lib/runtime';
import { runFor } from '../../lib/runtime/start-runs';
import { LocalTarget } from '../../lib/target';
import { raceCalled } from '../fixtures/long-project/events/race-called.v1';
import { ROOT } from './support/deployed';

jest.setTimeout(240_000);

const project = `${ROOT}/test/fixtures/long-project`;
const stack = 'laps';
const instance = `restart-${process.pid}`;
const targetOf = (more: object = {}) => new LocalTarget({ root: ROOT, instance, keepState: true, ...more });

let target: LocalTarget;
let pipeline: Pipeline;

beforeAll(async () => {
  target = targetOf();
  await target.start();
  await deploy({ project, target, stack });
  pipeline = await pipelineOn(target, stack);
});

afterAll(async () => {
  pipeline.clients.close();
  await target.stop();
  await target.forget();
});

const store = () => new S3Store(pipeline.clients.s3, pipeline.output(OUTPUT.store('runs')));

async function call(race: string, laps: number[]): Promise<string> {
  const { eventbridge: client } = pipeline.clients;
  const [sent] = await publish([raceCalled.create({ race, laps })], { client, bus: pipeline.bus });
  return runFor({ name: 'run-race' }, { id: sent?.id, data: {} } as never).id;
}

const lapsRun = async (run: string) => (await store().list(`runs/${run}/laps/`)).map((key) => key.split('/').at(-1));

async function until<T>(look: () => Promise<T>, holds: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await look();
    if (holds(found)) return found;
    await sleep(50);
  }
}

async function restart(): Promise<void> {
  pipeline.clients.close();
  await target.stop();
  target = targetOf();
  await target.start();
  pipeline = await pipelineOn(target, stack);
}

test('a run that a stop of the target cut off goes on by itself, and no lap of it is run twice', async () => {
  const run = await call('r-1', [200]);
  await until(
    () => lapsRun(run),
    (laps) => laps.length > 20,
  );
  await restart();
  expect(target.restored).toBe(true);
  const before = await lapsRun(run);
  expect(before.length).toBeGreaterThan(20);
  expect(before.length).toBeLessThan(200);
  expect(await resumeInterrupted({ target, project, stack })).toEqual([
    { run, workflow: 'run-race', resumed: { id: `${run}-r1`, way: 'restart' } },
  ]);
  const runs = () => listRuns(pipeline, project, 10);
  await until(runs, (all) => all.some(({ id, status }) => id === `${run}-r1` && status === 'SUCCEEDED'));
  const laps = await lapsRun(run);
  expect(laps).toHaveLength(200);
  // A lap whose worker died between its mark and the ledger is run again; that is the one that was not completed.
  expect(laps.filter((lap) => lap?.endsWith('again')).length).toBeLessThanOrEqual(1);
});

test('what had failed for a reason of its own is not resumed by a restart', async () => {
  const { eventbridge: client } = pipeline.clients;
  const draft = raceCalled.create({ race: 'r-2', laps: [3], fall_in: 1 });
  const [sent] = await publish([draft], { client, bus: pipeline.bus });
  const { id } = runFor({ name: 'run-race' }, { id: sent?.id, data: {} } as never);
  await until(
    () => findRun(pipeline, project, id).catch(() => undefined),
    (run) => run?.status === 'FAILED',
  );
  await restart();
  expect(await resumeInterrupted({ target, project, stack })).toEqual([]);
});

test('a deployment on a target that has come back changes nothing and leaves it working', async () => {
  await restart();
  const again = await deploy({ project, target, stack });
  expect(again.outputs).toEqual(pipeline.outputs);
  const run = await call('r-3', [2]);
  await until(
    () => findRun(pipeline, project, run).catch(() => undefined),
    (found) => found?.status === 'SUCCEEDED',
  );
});

test('the kept state has its port: another one is refused, and forgetting it makes the next start a first one', async () => {
  const { port } = new URL(target.endpoint);
  await target.stop();
  const elsewhere = targetOf({ port: Number(port) === 4999 ? 4998 : 4999 });
  await expect(elsewhere.start()).rejects.toThrow(/HR403.*belongs to port \d+.*down --forget/);
  const passing = targetOf({ keepState: false });
  await passing.start();
  expect(passing.restored).toBe(false);
  await passing.stop();
  target = targetOf();
  await target.start();
  expect(target.restored).toBe(true);
  expect(new URL(target.endpoint).port).toBe(port);
  await target.stop();
  expect(await target.forget()).toBe(true);
  expect(existsSync(`${target.folder}/state`)).toBe(false);
  target = targetOf();
  await target.start();
  expect(target.restored).toBe(false);
});
