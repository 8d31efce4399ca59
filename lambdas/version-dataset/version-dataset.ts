import { createHash } from 'node:crypto';
import { type ReadableStore, runKey, type StepLogic } from 'headrace/runtime';
import { type BatchSummary, batchIdOf, batchSummary, poolPrefix } from '../../events/dataset/batch-summary';
import { type DatasetVersion, datasetVersion, RUN_VERSION, versionKey } from '../../events/dataset/dataset-version';
import { labelledImages } from '../../events/dataset/labelled-images';
import { champion, championKey, withheldPrefix } from '../../events/model/champion';
import { chooseBatches } from './choose-batches';
import type step from './module';
import { worthTraining } from './worth-training';

/** Fixes what the run trains on, and lists the shards whose features it needs. */
export const versionDataset: StepLogic<typeof step> = async ({ run }, { stores, runs, log }) => {
  const { datasets, models } = stores;
  const { dataset, batch, purpose } = labelledImages.schema.parse(run.event.data);
  const accepted = await datasets.listJson(poolPrefix(dataset, 'cleaned'), batchSummary);
  const held = await datasets.listJson(poolPrefix(dataset, 'held-out'), batchSummary);
  const served = await servedVersion(stores, dataset);
  const withheld = await versions(datasets, dataset, await names(models, withheldPrefix(dataset)));
  const batches = chooseBatches({ accepted, served, withheld, own: batchIdOf(batch, run) });
  const version = versionOf(dataset, batches);
  const verdict = worthTraining({ version, served, purpose });
  log.info(verdict.reason, { worth: verdict.worth });
  if (!verdict.worth) return { outcome: 'waiting' };
  await datasets.putJson(versionKey(dataset, version.version), version);
  await runs.putJson(runKey(run, RUN_VERSION), version);
  const items = [...version.batches, ...held].flatMap(({ packs }) => packs);
  return { outcome: 'ready', items };
};

/** The version that a list of accepted batches makes: the same content, the same version, whatever came first. */
export function versionOf(dataset: string, accepted: readonly BatchSummary[]): DatasetVersion {
  const known = new Set<string>();
  const batches = accepted
    .map(({ id, batch, purpose, time, packs }) => ({ id, batch, purpose, time, packs }))
    .sort((a, b) => a.time.localeCompare(b.time) || a.id.localeCompare(b.id))
    .map((batch) => ({ ...batch, packs: batch.packs.filter((pack) => isNew(pack, known)) }))
    .filter(({ packs }) => packs.length > 0);
  const content = batches.flatMap(({ purpose, packs }) => packs.map(({ sha256 }) => `${purpose} ${sha256}`)).sort();
  return { dataset, version: createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16), batches };
}

/** A pack that an earlier batch of the version has brought already is left out. */
function isNew({ sha256 }: { readonly sha256: string }, known: Set<string>): boolean {
  if (known.has(sha256)) return false;
  known.add(sha256);
  return true;
}

async function servedVersion(
  { datasets, models }: { datasets: ReadableStore; models: ReadableStore },
  dataset: string,
): Promise<DatasetVersion | undefined> {
  const found = await models.findJson(championKey(dataset), champion);
  return found && (await versions(datasets, dataset, [found.value.dataset_version]))[0];
}

function versions(store: ReadableStore, dataset: string, ids: readonly string[]): Promise<DatasetVersion[]> {
  return Promise.all(ids.map((id) => store.getJson(versionKey(dataset, id), datasetVersion)));
}

/** The last part of every key under a prefix. */
async function names(store: ReadableStore, prefix: string): Promise<string[]> {
  return (await store.list(prefix)).map((key) => key.slice(prefix.length));
}
