import { setTimeout as sleep } from 'node:timers/promises';
import { digits } from '../../demo/shards';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { feedbackReceived } from '../../events/feedback/feedback-received.v1';
import { toEnvelope } from '../../lib/contract';
import { putEvents } from '../../lib/runtime';
import { writeShard } from '../../vision/shard';
import { Deployed, ROOT } from './support/deployed';

jest.setTimeout(120_000);

const app = new Deployed(ROOT, 'failures');

beforeAll(() => app.start());
afterAll(() => app.stop());

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await app.cli(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

async function eventually<T>(look: () => Promise<T>, fits: (seen: T) => boolean): Promise<T> {
  for (let i = 0; i < 200; i++) {
    const seen = await look();
    if (fits(seen)) return seen;
    await sleep(100);
  }
  throw new Error('it never came to pass');
}

test('a run that cannot go on is retried, then ends in run.failed with its cause, and can be looked at', async () => {
  const manifest = { uri: app.store('datasets').uri('nowhere/manifest.json'), sha256: 'a'.repeat(64), bytes: 1 };
  await app.publish(
    datasetArrived.create({ dataset: 'digits', batch: 'lost', purpose: 'training', manifest, images: 1 }),
  );
  const arrived = await app.event('dataset.arrived', { batch: 'lost' });
  const failed = await app.follows(arrived, 'run.failed');
  expect(failed.data).toMatchObject({ workflow: 'train-digits', step: 'clean-dataset' });
  expect(failed.data.cause).toMatch(/HR306/);
  const { stdout } = await app.cli('runs', 'show', String(failed.data.run), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'FAILED' });
});

test('a manifest that names missing shards is parked at once with its reason; mended and redriven it is handled', async () => {
  const store = app.store('datasets');
  const shards = [{ file: 'shard-0000.tar', images: 20 }];
  const manifest = { dataset: 'digits', batch: 'early', purpose: 'training', shards };
  await store.putJson('inbox/digits/early/manifest.json', manifest);
  const list = await eventually(
    () => json('dlq', 'list'),
    ({ total }) => total > 0,
  );
  expect(JSON.stringify(list)).toMatch(/names shards that are not there: shard-0000.tar/);
  expect(list.modules).toEqual([expect.objectContaining({ module: 'collect-batch', total: 1 })]);

  await store.put('inbox/digits/early/shard-0000.tar', await writeShard(digits('train', 0, 20)));
  expect(await json('dlq', 'redrive', 'collect-batch', '--yes')).toMatchObject({ moved: 1 });
  const arrived = await app.event('dataset.arrived', { batch: 'early' });
  expect(arrived.data.images).toBe(20);
  await eventually(
    () => json('dlq', 'list'),
    ({ total }) => total === 0,
  );
});

test('an event delivered three times has its effect once', async () => {
  const key = 'inbox/digits/elsewhere/one.png';
  await app.store('datasets').put(key, digits('train', 0, 1)[0]!.png);
  const corrections = [{ image: app.store('datasets').uri(key), label: '5' }];
  const draft = feedbackReceived.create({ feedback_id: 'thrice', dataset: 'digits', corrections });
  const envelope = toEnvelope(draft, { id: 'the-same-event', time: new Date() });
  const { clients, bus } = app.pipeline;
  await putEvents([envelope, envelope, envelope], { client: clients.eventbridge, bus });
  const arrived = await app.event('dataset.arrived', { batch: 'thrice' });
  await app.follows(arrived, 'dataset.cleaned');
  await putEvents([envelope], { client: clients.eventbridge, bus });
  await sleep(1000);
  const all = app.log.all().filter(({ type, data }) => type === 'dataset.arrived' && data.batch === 'thrice');
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  const runs = await json('runs', 'list');
  const started = runs.runs.filter(({ id }: { id: string }) => id === String(arrived.data.run));
  expect(started.length).toBeLessThanOrEqual(1);
});

test('a single labelled image becomes a batch of one that waits for more', async () => {
  await app.store('datasets').put('inbox/digits/images/5/Scan 1.png', digits('train', 0, 1)[0]!.png);
  const cleaned = await app.event('dataset.cleaned', { purpose: 'single' });
  expect(cleaned.data).toMatchObject({ batch: 'single-5-scan-1', accepted: 1 });
  const run = String(cleaned.data.run);
  await eventually(
    () => json('runs', 'show', run),
    ({ status }) => status === 'SUCCEEDED',
  );
  const chain = app.log.all().filter(({ correlationId }) => correlationId === cleaned.correlationId);
  expect(chain.map(({ type }) => type)).toEqual(['dataset.arrived', 'dataset.cleaned']);
});

test('headrace events prints what passes over the bus', async () => {
  const listening = app.cli('events', '--type', 'model.trained', '--limit', '1', '--json');
  await sleep(4000);
  const sent = await json('publish', 'model.trained', '--example');
  const { stdout, code } = await listening;
  expect(code).toBe(0);
  expect(JSON.parse(stdout.trim())).toMatchObject({ type: 'model.trained', data: { model_id: 'resnet50_v1' } });
  expect(stdout).toContain(sent.id ?? sent.ids?.[0]);
});

test('headrace publish refuses a bad event with the path, the value and the rule, and sends nothing', async () => {
  const data = JSON.stringify({ model_id: 'm', accuracy: 1.5, timestamp: 1 });
  const { code, stderr } = await app.cli('publish', 'model.trained', '--data', data);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/HR102/);
  expect(stderr).toMatch(/accuracy/);
  expect(stderr).toMatch(/1\.5/);
});
