import { checkData, NonRetriable } from 'headrace/contract';
import type { Logic } from 'headrace/runtime';
import { batchManifest, shardKey } from '../../events/dataset/batch-manifest';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { predictionRequested } from '../../events/prediction/prediction-requested.v1';
import { writeShard } from '../../vision/shard';
import type module from './module';
import { readUpload } from './read-upload';

/** Missing shards named in the refusal. */
const NAMED_MISSING = 10;

/** A manifest becomes `dataset.arrived`; a labelled image a batch of one; an image without a label a question. */
export const collectBatch: Logic<typeof module> = async (event, { stores }) => {
  const { datasets } = stores;
  const { key } = event.data.object;
  const upload = readUpload(key);
  if (upload.kind === 'image') {
    const png = await datasets.get(key);
    const shard = await writeShard([{ key: upload.batch, png, label: upload.label }]);
    // By the event: two uploads may have one name, or names that look alike to a batch.
    const folder = `singles/${upload.dataset}/${event.id}/`;
    await datasets.put(`${folder}shard-0000.tar`, shard, { contentType: 'application/x-tar' });
    const batch = { dataset: upload.dataset, batch: upload.batch, purpose: 'single' as const };
    const manifest = await datasets.putJson(`${folder}manifest.json`, {
      ...batch,
      shards: [{ file: 'shard-0000.tar', images: 1 }],
    });
    return [datasetArrived.create({ ...batch, manifest, images: 1 })];
  }
  if (upload.kind === 'question') {
    return [predictionRequested.create({ request_id: upload.name, dataset: upload.dataset, image: datasets.uri(key) })];
  }
  const bytes = await datasets.get(key);
  const manifest = parseManifest(bytes, key);
  const { dataset, batch, purpose, shards } = manifest;
  if (dataset !== upload.dataset) {
    throw new NonRetriable(
      `The manifest ${key} is about the dataset ${dataset}, and lies in the folder of ${upload.dataset}. Upload it to inbox/${dataset}/.`,
    );
  }
  const uploaded = new Set(await datasets.list(key.slice(0, key.lastIndexOf('/') + 1)));
  const missing = shards.map(({ file }) => file).filter((file) => !uploaded.has(shardKey(key, file)));
  if (missing.length > 0) {
    const named = missing.slice(0, NAMED_MISSING).join(', ');
    const more = missing.length > NAMED_MISSING ? ` and ${missing.length - NAMED_MISSING} more` : '';
    throw new NonRetriable(
      `The manifest ${key} names shards that are not there: ${named}${more}. Upload the shards first, the manifest last.`,
    );
  }
  const images = shards.reduce((sum, shard) => sum + shard.images, 0);
  return [datasetArrived.create({ dataset, batch, purpose, manifest: await datasets.refer(key, bytes), images })];
};

function parseManifest(bytes: Uint8Array, key: string) {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw new NonRetriable(`The manifest ${key} is not JSON: ${(error as Error).message}.`, { cause: error });
  }
  return checkData({ type: `manifest ${key}`, schema: batchManifest, sensitive: [] }, value);
}
