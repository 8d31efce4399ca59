import type { Stage } from 'headrace/cli';
import { OUTPUT } from 'headrace/module';
import { S3Store, type WritableStore } from 'headrace/runtime';
import type { BatchManifest } from '../events/dataset/batch-manifest';
import type { Shard } from './shards';

/** The dataset the demo plays with. */
export const DATASET = 'digits';

/** Uploads at once. */
const PARALLEL = 8;

/** A store of the deployed pipeline. */
export function storeOn({ clients, outputs }: Pick<Stage, 'clients' | 'outputs'>, name: string): WritableStore {
  const bucket = outputs[OUTPUT.store(name)];
  if (!bucket) throw new Error(`the stack has no output ${OUTPUT.store(name)}`);
  return new S3Store(clients.s3, bucket);
}

/** Uploads a batch as anybody would: shards first, the manifest last. It is the manifest that makes it a fact. */
export async function uploadBatch(
  store: WritableStore,
  batch: Pick<BatchManifest, 'dataset' | 'batch' | 'purpose'>,
  shards: readonly Shard[],
): Promise<void> {
  const folder = `inbox/${batch.dataset}/${batch.batch}`;
  const named = shards.map((shard, i) => ({ ...shard, file: `shard-${String(i).padStart(4, '0')}.tar` }));
  for (let i = 0; i < named.length; i += PARALLEL) {
    const some = named.slice(i, i + PARALLEL);
    await Promise.all(
      some.map(({ file, bytes }) => store.put(`${folder}/${file}`, bytes, { contentType: 'application/x-tar' })),
    );
  }
  const manifest: BatchManifest = {
    ...batch,
    shards: named.map(({ file, images }) => ({ file, images })),
  };
  await store.putJson(`${folder}/manifest.json`, manifest);
}
