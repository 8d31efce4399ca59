import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './support/deployed';
import { type DemoSummary, playDemo } from './support/play-demo';

jest.setTimeout(300_000);

let summary: DemoSummary;

beforeAll(async () => {
  const { code, summary: printed, stderr } = await playDemo();
  if (code !== 0) throw new Error(stderr);
  summary = printed;
});

test('the demo ends with a model that reads at least 98 % of the held-out images', () => {
  expect(summary.accuracy).toBeGreaterThanOrEqual(0.98);
  expect(summary.trainImages).toBeGreaterThanOrEqual(10_000);
  expect(summary.testImages).toBe(10_000);
  expect(summary.championId).toContain(summary.modelSha256.slice(0, 12));
});

test('the demo quarantines every image that was spoiled', () => {
  expect(summary.quarantined).toBe(40 + 100);
});

test('the demo goes on from the checkpoints of a training that was killed', () => {
  expect(summary.resumedFromCheckpoint).toBe(true);
});

test('every stage of the pipeline takes part in the demo', () => {
  expect(summary.stages.map(({ name }) => name).sort()).toEqual([
    'choose-model',
    'clean-dataset',
    'collect-batch',
    'collect-feedback',
    'deploy-model',
    'evaluate-model',
    'plan-trials',
    'predict-digit',
    'publish-report',
  ]);
  expect(summary.predictions).toBe(201);
});

const INSTANCES = join(ROOT, '.headrace', 'local', 'instances');

/** Targets of demos that are still there. */
const targetsLeft = () =>
  existsSync(INSTANCES) ? readdirSync(INSTANCES).filter((name) => name.startsWith('demo-')) : [];

test('the demo leaves no target behind', () => {
  expect(targetsLeft()).toEqual([]);
});

test.each(['starting the local AWS target', 'deployed headrace-digits', 'dataset.cleaned'])(
  'Ctrl-C once it has said "%s" ends the demo and leaves no process and no target behind',
  async (moment) => {
    const child = spawn(process.execPath, ['bin/headrace.mjs', 'demo', '--json'], { cwd: ROOT });
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      const before = said.includes(moment);
      said += part.toString();
      if (!before && said.includes(moment)) child.kill('SIGINT');
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    expect(code).toBe(130);
    expect(targetsLeft()).toEqual([]);
    const table = execFileSync('ps', ['-A', '-ww', '-o', 'args'], { encoding: 'utf8' });
    expect(table.split('\n').filter((line) => line.includes(`demo-${child.pid}`))).toEqual([]);
  },
);
