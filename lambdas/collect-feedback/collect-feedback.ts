import type { Logic } from 'headrace/runtime';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { writeShard } from '../../vision/shard';
import type module from './module';

/** Corrections become a batch of their own, whose labels override earlier ones of the same images. */
export const collectFeedback: Logic<typeof module> = async ({ id, data }, { stores }) => {
  const { datasets } = stores;
  const { feedback_id, dataset, corrections } = data;
  const samples = await Promise.all(
    corrections.map(async ({ image, label }, i) => ({
      key: `${feedback_id}-${String(i).padStart(3, '0')}`,
      png: await datasets.get(datasets.keyOf(image)),
      label,
    })),
  );
  const folder = `feedback/${dataset}/${id}/`;
  await datasets.put(`${folder}shard-0000.tar`, await writeShard(samples), { contentType: 'application/x-tar' });
  const batch = { dataset, batch: feedback_id, purpose: 'feedback' as const };
  const manifest = await datasets.putJson(`${folder}manifest.json`, {
    ...batch,
    shards: [{ file: 'shard-0000.tar', images: samples.length }],
  });
  return [datasetArrived.create({ ...batch, manifest, images: samples.length })];
};
