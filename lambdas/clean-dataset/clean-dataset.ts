import type { ReadableStore, StepLogic } from 'headrace/runtime';
import { batchManifest, shardKey } from '../../events/dataset/batch-manifest';
import { type BatchSummary, batchIdOf, poolPrefix } from '../../events/dataset/batch-summary';
import { datasetCleaned } from '../../events/dataset/dataset-cleaned.v1';
import { datasetRejected } from '../../events/dataset/dataset-rejected.v1';
import { labelledImages } from '../../events/dataset/labelled-images';
import { CLASSES, type CleanSample, type Defect, type DefectCode, inspectAll } from '../../vision/defects';
import { packImages } from '../../vision/pack';
import { qualityScore, THRESHOLD } from '../../vision/quality';
import { type RawSample, readShard, ShardDefect } from '../../vision/shard';
import type step from './module';

/** Bad images named in the event itself; all of them stand in the summary. */
const NAMED_IN_EVENT = 25;

/** Checks a batch image by image; the batch joins the pool, or takes the rejected path. */
export const cleanDataset: StepLogic<typeof step> = async ({ run }, { stores, log }) => {
  const { datasets } = stores;
  const { dataset, batch, purpose, manifest } = labelledImages.schema.parse(run.event.data);
  const { shards } = await datasets.openJson(manifest, batchManifest);
  const batchId = batchIdOf(batch, run);
  const seen = new Set<string>();
  const packs: BatchSummary['packs'] = [];
  const defects: Defect[] = [];
  const gaps: Gap[] = [];
  const perClass = new Array<number>(CLASSES).fill(0);
  for (const { file, images } of shards) {
    const found = await readWhole(datasets, shardKey(datasets.keyOf(manifest.uri), file));
    const { clean, defects: bad } = inspectAll(found.samples, seen);
    for (const defect of [...bad, ...found.defects]) defects.push(defect);
    gaps.push({ file, images: Math.max(0, images - found.samples.length - found.defects.length) });
    for (const { label } of clean) perClass[label]! += 1;
    if (clean.length === 0) continue;
    const key = `batches/${dataset}/${batchId}/${file.replace('.tar', '.bin')}`;
    packs.push({ ...(await datasets.put(key, packImages(clean.map(toPacked)))), images: clean.length });
    log.info('shard cleaned', { file, accepted: clean.length, quarantined: bad.length });
  }
  const accepted = packs.reduce((sum, pack) => sum + pack.images, 0);
  const refused = countDefects(defects, gaps);
  const total = accepted + sum(Object.values(refused));
  const { score, usable, reasons } = qualityScore({ total, accepted, defects: refused, perClass });
  // A handful of corrections or a single upload can't have even classes.
  const quality = purpose === 'single' || purpose === 'feedback' ? usable : score;
  const outcome = outcomeOf(quality, purpose);
  const summary: BatchSummary = {
    id: batchId,
    dataset,
    batch,
    purpose,
    time: run.event.time,
    outcome,
    quality,
    threshold: THRESHOLD,
    reasons,
    accepted,
    packs,
    quarantined: [...defects, ...gaps.flatMap(gapDefect)].map(({ key, code, detail }) => ({
      key,
      reason: code,
      detail,
    })),
  };
  const ref = await datasets.putJson(`${poolPrefix(dataset, outcome)}${batchId}.json`, summary);
  const facts = {
    dataset,
    batch,
    run: run.id,
    accepted,
    quarantined: total - accepted,
    quality,
    threshold: THRESHOLD,
    summary: ref,
  };
  if (outcome !== 'rejected') return { outcome, events: [datasetCleaned.create({ ...facts, purpose })] };
  const bad_images = summary.quarantined.slice(0, NAMED_IN_EVENT).map(({ key, reason }) => ({ key, reason }));
  return { outcome, events: [datasetRejected.create({ ...facts, reasons, bad_images })] };
};

function outcomeOf(score: number, purpose: BatchSummary['purpose']): BatchSummary['outcome'] {
  if (score < THRESHOLD) return 'rejected';
  return purpose === 'holdout' ? 'held-out' : 'cleaned';
}

/** Images the manifest promises and the shard does not have. They are counted, not listed: a manifest may promise any number. */
interface Gap {
  readonly file: string;
  readonly images: number;
}

function gapDefect({ file, images }: Gap): Defect[] {
  if (images === 0) return [];
  const detail = `${images} of the images promised by the manifest are not in the shard`;
  return [{ key: `${file}#missing`, code: 'truncated', detail }];
}

/** How many images were refused, by reason; missing ones count as truncated, one by one. */
function countDefects(defects: readonly Defect[], gaps: readonly Gap[]): Partial<Record<DefectCode, number>> {
  const counts: Partial<Record<DefectCode, number>> = {};
  for (const { code } of defects) counts[code] = (counts[code] ?? 0) + 1;
  const lacking = sum(gaps.map(({ images }) => images));
  return lacking === 0 ? counts : { ...counts, truncated: (counts.truncated ?? 0) + lacking };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const toPacked = ({ key, label, hash, image }: CleanSample) => ({ key, label, hash, pixels: image.pixels });

/** Every sample of a shard; a shard that breaks off gives what was whole, and a defect under its own name. */
async function readWhole(store: ReadableStore, key: string): Promise<{ samples: RawSample[]; defects: Defect[] }> {
  const samples: RawSample[] = [];
  try {
    for await (const sample of readShard(await store.get(key))) samples.push(sample);
    return { samples, defects: [] };
  } catch (error) {
    if (!(error instanceof ShardDefect)) throw error;
    return {
      samples,
      defects: [{ key, code: error.code === 'truncated' ? 'truncated' : 'corrupt', detail: error.message }],
    };
  }
}
