import { collectBatch } from '../../lambdas/collect-batch/collect-batch';
import { NonRetriable } from '../../lib/contract';
import { readShard } from '../../vision/shard';
import { digitSamples } from '../support/digits';
import { memoryStore } from '../support/memory-store';
import { lateRefusal } from '../support/refusal';
import { eventOf, workContext } from '../support/work';

const FOLDER = 'inbox/digits/batch-1';
const manifest = {
  dataset: 'digits',
  batch: 'batch-1',
  purpose: 'training',
  shards: [
    { file: 'shard-0000.tar', images: 3 },
    { file: 'shard-0001.tar', images: 4 },
  ],
};

let datasets = memoryStore('datasets');
beforeEach(() => {
  datasets = memoryStore('datasets');
});

const collect = (key: string, id?: string) =>
  collectBatch(
    eventOf('s3.object-created', { bucket: { name: 'datasets' }, object: { key, size: 1 } }, id),
    workContext({ datasets }),
  );

async function upload(value: unknown, shards = ['shard-0000.tar', 'shard-0001.tar']) {
  for (const file of shards) await datasets.put(`${FOLDER}/${file}`, 'tar');
  return datasets.put(`${FOLDER}/manifest.json`, typeof value === 'string' ? value : JSON.stringify(value));
}

describe('a manifest', () => {
  test('becomes the fact that a batch arrived, with its checksum and the sum of its images', async () => {
    const ref = await upload(manifest);
    expect(await collect(`${FOLDER}/manifest.json`)).toMatchObject([
      {
        type: 'dataset.arrived',
        data: { dataset: 'digits', batch: 'batch-1', purpose: 'training', manifest: ref, images: 7 },
      },
    ]);
  });

  test('refuses one whose shards are not there, and names them', async () => {
    await upload(manifest, ['shard-0000.tar']);
    const refused = collect(`${FOLDER}/manifest.json`);
    await expect(refused).rejects.toThrow(NonRetriable);
    await expect(refused).rejects.toThrow(/not there: shard-0001\.tar\. Upload the shards first/);
  });

  test.each([
    ['has another shape', { ...manifest, purpose: 'fun' }, /purpose = "fun"/],
    ['names no shards', { ...manifest, shards: [] }, /shards = \[\]/],
    ['names a shard outside its folder', { ...manifest, shards: [{ file: '../x.tar', images: 1 }] }, /plain file name/],
  ])('refuses one that %s', async (_, value, told) => {
    await upload(value);
    const error = await lateRefusal(collect(`${FOLDER}/manifest.json`));
    expect(error.code).toBe('HR102');
    expect(error.message).toMatch(told);
  });

  test('refuses one that is no JSON', async () => {
    await upload('hello');
    await expect(collect(`${FOLDER}/manifest.json`)).rejects.toThrow(/is not JSON/);
    await expect(collect(`${FOLDER}/manifest.json`)).rejects.toThrow(NonRetriable);
  });

  test('refuses one whose dataset has a name that events do not allow', async () => {
    await datasets.put('inbox/My Digits/a/shard-0000.tar', 'tar');
    const shards = [{ file: 'shard-0000.tar', images: 1 }];
    await datasets.putJson('inbox/My Digits/a/manifest.json', { ...manifest, dataset: 'My Digits', shards });
    expect((await lateRefusal(collect('inbox/My Digits/a/manifest.json'))).code).toBe('HR102');
  });

  test("refuses one in the folder of another dataset: who may write to one folder may not add to another's data", async () => {
    await upload({ ...manifest, dataset: 'letters' });
    const refused = collect(`${FOLDER}/manifest.json`);
    await expect(refused).rejects.toThrow(NonRetriable);
    await expect(refused).rejects.toThrow(/about the dataset letters, and lies in the folder of digits/);
  });

  test('names ten of many shards that are not there', async () => {
    await upload({ ...manifest, shards: Array.from({ length: 1000 }, (_, i) => ({ file: `s${i}.tar`, images: 1 })) });
    await expect(collect(`${FOLDER}/manifest.json`)).rejects.toThrow(/: s0\.tar, .*, s9\.tar and 990 more\. Upload/);
  });

  test('fails, to be tried again, when it is gone', async () => {
    expect((await lateRefusal(collect(`${FOLDER}/manifest.json`))).code).toBe('HR306');
  });
});

describe('an image', () => {
  const [sample] = digitSamples(1);

  test('with a label becomes a batch of one, in the form of any other batch', async () => {
    await datasets.put('inbox/digits/images/5/a.png', sample!.png);
    const [fact] = await collect('inbox/digits/images/5/a.png');
    expect(fact).toMatchObject({
      type: 'dataset.arrived',
      data: { dataset: 'digits', batch: 'single-5-a', purpose: 'single', images: 1 },
    });
    const shard = await datasets.get('singles/digits/event-1/shard-0000.tar');
    const samples = [];
    for await (const each of readShard(shard)) samples.push(each);
    expect(samples).toEqual([{ key: 'single-5-a', png: sample!.png, label: '5' }]);
  });

  test('collected twice writes the same bytes and says the same', async () => {
    await datasets.put('inbox/digits/images/5/a.png', sample!.png);
    const first = await collect('inbox/digits/images/5/a.png');
    const objects = new Map(datasets.bucket.objects);
    expect(await collect('inbox/digits/images/5/a.png')).toEqual(first);
    expect(datasets.bucket.objects).toEqual(objects);
  });

  test('keeps apart from others whose names look alike to a batch, and from the next upload of its name', async () => {
    const names = ['日.png', '本.png', 'a b.png', 'a+b.png', 'a%20b.png', '..\\b.png', '日.png'];
    for (const [i, name] of names.entries()) {
      await datasets.put(`inbox/digits/images/5/${name}`, digitSamples(1, i)[0]!.png);
      await collect(`inbox/digits/images/5/${name}`, `event-${i}`);
    }
    for (const i of names.keys()) {
      const samples = [];
      for await (const each of readShard(await datasets.get(`singles/digits/event-${i}/shard-0000.tar`)))
        samples.push(each);
      expect(samples).toMatchObject([{ png: digitSamples(1, i)[0]!.png }]);
    }
  });

  test('without a label becomes a question, and is not read', async () => {
    expect(await collect('inbox/digits/images/unlabelled/seven.png')).toMatchObject([
      {
        type: 'prediction.requested',
        data: {
          request_id: 'seven',
          dataset: 'digits',
          image: 's3://datasets/inbox/digits/images/unlabelled/seven.png',
        },
      },
    ]);
  });
});
