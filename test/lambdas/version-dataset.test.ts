import type { BatchSummary } from '../../events/dataset/batch-summary';
import { batchIdOf, poolPrefix } from '../../events/dataset/batch-summary';
import type { DatasetVersion } from '../../events/dataset/dataset-version';
import { RUN_VERSION, versionKey } from '../../events/dataset/dataset-version';
import { championKey, withheldPrefix } from '../../events/model/champion';
import { chooseBatches } from '../../lambdas/version-dataset/choose-batches';
import { versionDataset, versionOf } from '../../lambdas/version-dataset/version-dataset';
import { worthTraining } from '../../lambdas/version-dataset/worth-training';
import { runKey } from '../../lib/runtime';
import { memoryStore } from '../support/memory-store';
import { runOf, workContext } from '../support/work';

const pack = (name: string, images: number) => ({
  uri: `s3://datasets/${name}.bin`,
  sha256: Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64),
  bytes: 1,
  images,
});

function batch(id: string, overrides: Partial<BatchSummary> = {}): BatchSummary {
  return {
    id,
    dataset: 'digits',
    batch: id,
    purpose: 'training',
    time: '2026-01-02T03:04:05.000Z',
    outcome: 'cleaned',
    quality: 1,
    threshold: 0.9,
    reasons: [],
    accepted: 600,
    packs: [pack(id, 600)],
    quarantined: [],
    ...overrides,
  };
}

const version = (...batches: BatchSummary[]): DatasetVersion => versionOf('digits', batches);
const ids = (batches: readonly { id: string }[]) => batches.map(({ id }) => id);

describe('the batches a run trains on', () => {
  const [a, b, c] = [batch('a'), batch('b'), batch('c')];
  const pool = { accepted: [a, b, c], served: undefined, withheld: [], own: 'a' };

  test('are all accepted ones, while nothing was withheld', () => {
    expect(ids(chooseBatches(pool))).toEqual(['a', 'b', 'c']);
  });

  test('leave out what was new in a withheld version', () => {
    expect(ids(chooseBatches({ ...pool, withheld: [version(b)] }))).toEqual(['a', 'c']);
  });

  test('keep what the champion was trained on, though it was in a withheld version too', () => {
    expect(ids(chooseBatches({ ...pool, served: version(b), withheld: [version(b, c)] }))).toEqual(['a', 'b']);
  });

  test('leave out a withheld batch, though it was sent again and that was withheld too', () => {
    const again = batch('b-again', { packs: b.packs });
    const accepted = [a, b, again, c];
    expect(
      ids(chooseBatches({ ...pool, accepted, own: 'c', withheld: [version(a, again)], served: version(a) })),
    ).toEqual(['a', 'c']);
  });

  test('try a resting batch again when the run is about it', () => {
    expect(ids(chooseBatches({ ...pool, own: 'b', withheld: [version(b)] }))).toEqual(['a', 'b', 'c']);
  });
});

describe('a run is worth training', () => {
  const images = (count: number) => version(batch('a', { packs: [pack('a', count)] }));

  test.each([
    [499, 'training', false, '499 images so far; training starts at 500'],
    [500, 'training', true, 'a training batch makes 500 images'],
    [500, 'feedback', true, 'a feedback batch makes 500 images'],
    [500, 'single', true, '500 new images since the champion; training starts again at 100'],
  ] as const)('with %i images of a %s batch and no champion: %s', (count, purpose, worth, reason) => {
    expect(worthTraining({ version: images(count), served: undefined, purpose })).toEqual({ worth, reason });
  });

  test.each([
    [1099, false],
    [1100, true],
  ])('with single images when a hundred came since the champion: %i of 1000', (count, worth) => {
    expect(worthTraining({ version: images(count), served: images(1000), purpose: 'single' }).worth).toBe(worth);
  });

  test('with one correction, however few images are new', () => {
    expect(worthTraining({ version: images(1001), served: images(1000), purpose: 'feedback' }).worth).toBe(true);
  });
});

describe('a dataset version', () => {
  const earlier = batch('b', { time: '2026-01-01T00:00:00.000Z' });
  const later = batch('a', { time: '2026-01-02T00:00:00.000Z' });

  test('is the same for the same content, in whatever order it is found', () => {
    expect(version(earlier, later)).toEqual(version(later, earlier));
    expect(version(later, earlier).version).toMatch(/^[0-9a-f]{16}$/);
  });

  test('has its batches in the order of their arrival, so that the later correction counts', () => {
    expect(ids(version(later, earlier).batches)).toEqual(['b', 'a']);
  });

  test.each([
    ['another pack', { packs: [pack('x', 600)] }],
    ['another purpose', { purpose: 'feedback' as const }],
  ])('differs with %s', (_, overrides) => {
    expect(version(batch('a', overrides)).version).not.toBe(version(batch('a')).version);
  });
});

describe('the step', () => {
  const arrived = {
    dataset: 'digits',
    batch: 'a',
    purpose: 'training',
    manifest: { uri: 's3://datasets/inbox/digits/a/manifest.json', sha256: 'f'.repeat(64), bytes: 1 },
    images: 600,
  };
  const run = runOf(arrived);
  const own = batchIdOf(arrived.batch, run);

  async function world() {
    const [datasets, models] = [memoryStore('datasets'), memoryStore('models')];
    const context = workContext({ datasets, models });
    const add = (each: BatchSummary) => datasets.putJson(`${poolPrefix('digits', each.outcome)}${each.id}.json`, each);
    return { datasets, models, context, add, step: () => versionDataset({ run, turn: 0 }, context) };
  }

  test('fixes the version for the run and lists its packs and the held-out ones', async () => {
    const { context, datasets, add, step } = await world();
    const [mine, held] = [batch(own), batch('h', { outcome: 'held-out', purpose: 'holdout' })];
    await add(mine);
    await add(held);
    await add(batch('r', { outcome: 'rejected' }));
    expect(await step()).toEqual({ outcome: 'ready', items: [...mine.packs, ...held.packs] });
    const fixed = version(mine);
    for (const [store, key] of [
      [context.runs, runKey(run, RUN_VERSION)],
      [datasets, versionKey('digits', fixed.version)],
    ] as const) {
      expect(JSON.parse(Buffer.from(await store.get(key)).toString())).toEqual(fixed);
    }
  });

  test('waits when there is too little to train on, and fixes nothing', async () => {
    const { datasets, add, step } = await world();
    await add(batch(own, { packs: [pack('a', 10)] }));
    expect(await step()).toEqual({ outcome: 'waiting' });
    expect(await datasets.list('versions/')).toEqual([]);
  });

  test('reads from the stores what was withheld and what serves', async () => {
    const { datasets, models, add, step } = await world();
    const [mine, served, spoilt] = [batch(own), batch('s'), batch('w')];
    for (const each of [mine, served, spoilt]) await add(each);
    const [good, bad] = [version(served), version(served, spoilt)];
    for (const each of [good, bad]) await datasets.putJson(versionKey('digits', each.version), each);
    await models.put(`${withheldPrefix('digits')}${bad.version}`, 'worse');
    await models.putJson(championKey('digits'), {
      model_id: 'digits-1',
      dataset: 'digits',
      dataset_version: good.version,
      artifact: pack('m', 1),
      validation: pack('v', 1),
      validation_accuracy: 0.98,
      since: '2026-01-01T00:00:00.000Z',
    });
    const { items } = await step();
    expect(items).toEqual(expect.arrayContaining([...mine.packs, ...served.packs]));
    expect(items).toHaveLength(2);
  });
});
