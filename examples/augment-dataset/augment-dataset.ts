import type { Logic } from 'headrace/runtime';
import { batchManifest, shardKey } from '../../events/dataset/batch-manifest';
import { augment } from '../../vision/augment';
import { inspect, isDefect } from '../../vision/defects';
import { encodePng, pixelHash } from '../../vision/image';
import { isValidation } from '../../vision/search';
import { type RawSample, readShard, writeShard } from '../../vision/shard';
import { datasetAugmented } from './dataset-augmented.v1';
import type module from './module';

/** Every shard gives a shard of new handwritings; the manifest beside them makes them a batch. */
export const augmentDataset: Logic<typeof module> = async ({ data }, { stores }) => {
  const { datasets } = stores;
  const { dataset, batch } = data;
  const source = await datasets.openJson(data.manifest, batchManifest);
  const folder = `augmented/${dataset}/${batch}-${data.manifest.sha256.slice(0, 8)}/`;
  const shards: { file: string; images: number }[] = [];
  for (const { file } of source.shards) {
    const samples: RawSample[] = [];
    const bytes = await datasets.get(shardKey(datasets.keyOf(data.manifest.uri), file));
    for await (const sample of readShard(bytes)) samples.push(...variantsOf(sample));
    if (samples.length === 0) continue;
    await datasets.put(`${folder}${file}`, await writeShard(samples), { contentType: 'application/x-tar' });
    shards.push({ file, images: samples.length });
  }
  const images = shards.reduce((sum, shard) => sum + shard.images, 0);
  if (images === 0) return [];
  const made = { dataset, batch: `${batch}-augmented`, purpose: 'training' as const };
  const manifest = await datasets.putJson(`${folder}manifest.json`, { ...made, shards });
  return [datasetAugmented.create({ ...made, manifest, images, source_batch: batch })];
};

/**
 * One new handwriting of a usable sample. Validation images are left out on both sides: a bent copy of one must not be
 * trained on, nor may a bent training image judge a model.
 */
function variantsOf(sample: RawSample): RawSample[] {
  const found = inspect(sample);
  if (isDefect(found) || isValidation(found.hash)) return [];
  const variant = augment(found.image, Number.parseInt(found.hash.slice(0, 8), 16))[0]!;
  if (isValidation(pixelHash(variant))) return [];
  return [{ key: `${found.key}-bent`, png: encodePng(variant), label: String(found.label) }];
}
