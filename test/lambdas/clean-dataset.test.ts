import { batchIdOf, batchSummary, poolPrefix } from '../../events/dataset/batch-summary';
import { cleanDataset } from '../../lambdas/clean-dataset/clean-dataset';
import { encodePng } from '../../vision/image';
import { unpackImages } from '../../vision/pack';
import { type RawSample, writeShard } from '../../vision/shard';
import { digitSamples } from '../support/digits';
import { memoryStore } from '../support/memory-store';
import { lateRefusal } from '../support/refusal';
import { runOf, workContext } from '../support/work';

const FOLDER = 'inbox/digits/batch-1';
const digits = digitSamples(100);
const blank: RawSample = {
  key: 'blank',
  png: encodePng({ width: 28, height: 28, pixels: new Uint8Array(28 * 28) }),
  label: '1',
};
const defects: RawSample[] = [
  blank,
  { key: 'cut', png: digits[0]!.png.slice(0, 100), label: '1' },
  { key: 'copy', png: digits[1]!.png, label: '1' },
  { key: 'eleven', png: digitSamples(1, 500)[0]!.png, label: '11' },
  { key: 'nameless', png: digitSamples(1, 501)[0]!.png, label: undefined },
];

/** Puts shards in the store with their manifest, and cleans them. */
async function clean(shards: readonly Uint8Array[], purpose = 'training', promised = 1) {
  const datasets = memoryStore('datasets');
  const files = shards.map((bytes, i) => ({ file: `shard-000${i}.tar`, images: promised, bytes }));
  for (const { file, bytes } of files) await datasets.put(`${FOLDER}/${file}`, bytes);
  const batch = { dataset: 'digits', batch: 'batch-1', purpose };
  const manifest = await datasets.putJson(`${FOLDER}/manifest.json`, {
    ...batch,
    shards: files.map(({ file, images }) => ({ file, images })),
  });
  const arrived = { ...batch, manifest, images: 1 };
  const again = () => cleanDataset({ run: runOf(arrived), turn: 0 }, workContext({ datasets }));
  const result = await again();
  const [fact] = result.events ?? [];
  const summaryKey = `${poolPrefix('digits', result.outcome as 'cleaned')}${batchIdOf(arrived.batch, runOf(arrived))}.json`;
  return {
    result,
    fact,
    again,
    datasets,
    id: batchIdOf(arrived.batch, runOf(arrived)),
    summary: await datasets.getJson(summaryKey, batchSummary),
  };
}

test('a good batch joins the pool, its images packed, its bad ones quarantined with their reasons', async () => {
  const { result, fact, datasets, id, summary } = await clean([await writeShard([...digits, ...defects])]);
  expect(result.outcome).toBe('cleaned');
  expect(summary).toMatchObject({ id, outcome: 'cleaned', accepted: 100, purpose: 'training' });
  expect(summary.quarantined.map(({ key, reason }) => [key, reason])).toEqual([
    ['blank', 'blank'],
    ['cut', 'truncated'],
    ['copy', 'duplicate'],
    ['eleven', 'impossible-label'],
    ['nameless', 'missing-label'],
  ]);
  const [pack] = summary.packs;
  const images = unpackImages(await datasets.open(pack!));
  expect(images.map(({ key, label }) => [key, String(label)])).toEqual(digits.map(({ key, label }) => [key, label]));
  expect(fact).toMatchObject({
    type: 'dataset.cleaned',
    data: { accepted: 100, quarantined: 5, quality: summary.quality, threshold: 0.9, run: 'train-digits-1' },
  });
  expect(await datasets.open((fact!.data as { summary: typeof pack }).summary!)).toBeDefined();
});

test('a picture that stands in two shards counts once', async () => {
  const { summary } = await clean([await writeShard(digits), await writeShard(digits.slice(0, 2))]);
  expect(summary).toMatchObject({ accepted: 100, packs: [{ images: 100 }] });
  expect(summary.quarantined.map(({ reason }) => reason)).toEqual(['duplicate', 'duplicate']);
});

test('a bad batch takes the rejected path, with reasons and the first bad images', async () => {
  const broken = Array.from({ length: 30 }, (_, i) => ({ ...blank, key: `blank-${i}` }));
  const { result, fact, summary } = await clean([await writeShard([...digits, ...broken])]);
  expect(result.outcome).toBe('rejected');
  expect(fact).toMatchObject({ type: 'dataset.rejected', data: { accepted: 100, quarantined: 30 } });
  const { bad_images, reasons } = fact!.data as { bad_images: object[]; reasons: string[] };
  expect(bad_images).toHaveLength(25);
  expect(bad_images[0]).toEqual({ key: 'blank-0', reason: 'blank' });
  expect(reasons[0]).toContain('30 of 130 samples blank');
  expect(summary.quarantined).toHaveLength(30);
});

test('held-out images go to a pool of their own', async () => {
  const { result, fact } = await clean([await writeShard(digits)], 'holdout');
  expect(result.outcome).toBe('held-out');
  expect(fact?.type).toBe('dataset.cleaned');
});

test.each(['single', 'feedback'])('a %s batch need not have even classes', async (purpose) => {
  const { result, summary } = await clean([await writeShard(digits.slice(0, 1))], purpose);
  expect(result.outcome).toBe('cleaned');
  expect(summary.quality).toBe(1);
});

test('a training batch of one class is rejected', async () => {
  const fives = digitSamples(300).filter(({ label }) => label === '5');
  expect((await clean([await writeShard(fives)])).result.outcome).toBe('rejected');
});

test('a shard that breaks off gives what was whole, and a defect under its own name', async () => {
  const shard = await writeShard(digits);
  const { summary } = await clean([shard.slice(0, shard.length / 2), await writeShard(digitSamples(60, 200))]);
  expect(summary.accepted).toBeGreaterThan(60);
  expect(summary.accepted).toBeLessThan(160);
  expect(summary.quarantined).toMatchObject([{ key: `${FOLDER}/shard-0000.tar`, reason: 'truncated' }]);
});

test.each([
  ['some', 105, 'cleaned', 5],
  ['thousands of millions', 4_000_000_000, 'rejected', 3_999_999_900],
])(
  'images that the manifest promises and the shard lacks count as truncated: %s',
  async (_, promised, outcome, lost) => {
    const evenly = Array.from({ length: 100 }, (_, i) => ({ ...digits[i]!, label: String(i % 10) }));
    const { result, fact, summary } = await clean([await writeShard(evenly)], 'training', promised);
    expect(result.outcome).toBe(outcome);
    expect(fact?.data).toMatchObject({ accepted: 100, quarantined: lost });
    expect(summary.quarantined).toEqual([
      {
        key: 'shard-0000.tar#missing',
        reason: 'truncated',
        detail: `${lost} of the images promised by the manifest are not in the shard`,
      },
    ]);
  },
);

test('a batch without one usable image is rejected, and nothing is packed', async () => {
  const { result, summary } = await clean([Buffer.from('this is no tar, at least not one that can be read')]);
  expect(result.outcome).toBe('rejected');
  expect(summary).toMatchObject({ accepted: 0, packs: [], quality: 0 });
});

test('cleaned again, it writes the same bytes and says the same', async () => {
  const { result, again, datasets } = await clean([await writeShard([...digits, ...defects])]);
  const before = new Map(datasets.bucket.objects);
  expect(await again()).toEqual(result);
  expect(datasets.bucket.objects).toEqual(before);
});

test('fails when the manifest was changed after the event', async () => {
  const { again, datasets } = await clean([await writeShard(digits)]);
  await datasets.put(`${FOLDER}/manifest.json`, '{}');
  expect((await lateRefusal(again())).code).toBe('HR307');
});
