import { HeadraceError } from 'headrace/contract';
import { type ReadableStore, runKey, type StepLogic, type WritableStore } from 'headrace/runtime';
import { batchSummary, poolPrefix } from '../../events/dataset/batch-summary';
import { datasetVersion, featuresKey, RUN_VERSION } from '../../events/dataset/dataset-version';
import type { Evaluation } from '../../events/model/evaluation';
import { modelEvaluated } from '../../events/model/model-evaluated.v1';
import { modelKey, RUN_MODEL, type RunModel, runModel } from '../../events/model/run-model';
import { classify } from '../../vision/classify';
import { CLASSES, SIDE } from '../../vision/defects';
import { describePack } from '../../vision/describe-pack';
import { encodePng } from '../../vision/image';
import { evaluate } from '../../vision/metrics';
import { loadModel } from '../../vision/network';
import { concatFeatures, type FeatureSet, selectFeatures, unpackFeatures, unpackImages } from '../../vision/pack';
import type step from './module';

type Pack = { readonly uri: string; readonly sha256: string; readonly bytes: number; readonly images: number };

/** Looks at the held-out images once, to report; no decision rests on them. */
export const evaluateModel: StepLogic<typeof step> = async ({ run }, { stores, runs, log }) => {
  const { datasets, models } = stores;
  const chosen = await runs.getJson(runKey(run, RUN_MODEL), runModel);
  const { model_id, dataset } = chosen;
  const packs = await heldOutPacks(datasets, dataset);
  const held = concatFeatures(await Promise.all(packs.map((pack) => featuresOf(datasets, pack))));
  const { batches } = await runs.getJson(runKey(run, RUN_VERSION), datasetVersion);
  const learned = await Promise.all(batches.flatMap((batch) => batch.packs).map((pack) => featuresOf(datasets, pack)));
  const features = unseen(held, learned);
  if (features.rows < held.rows) log.warn('held-out images left out', { count: held.rows - features.rows });
  const { network } = loadModel(await models.open(chosen.artifact));
  const measured = evaluate(classify(network, features), features.labels, CLASSES);
  // By the run: another may come to the same model, and the fact of each names its own evaluation.
  const evaluation = await models.putJson(modelKey(dataset, model_id, `evaluation-${run.id}.json`), {
    ...about(chosen, run.id),
    test: measured,
    worst: await pictures(datasets, packs, { features, worst: measured.worst }),
  } satisfies Evaluation);
  return {
    outcome: 'evaluated',
    events: [
      modelEvaluated.create({
        model_id,
        dataset,
        dataset_version: chosen.dataset_version,
        run: run.id,
        accuracy: measured.accuracy,
        test_images: features.rows,
        validation_accuracy: chosen.best.validation_accuracy,
        evaluation,
        artifact: chosen.artifact,
        validation: chosen.validation,
      }),
    ],
  };
};

function about({ model_id, dataset, dataset_version, artifact, best, search }: RunModel, run: string) {
  const { train_images, learning_curve, hyperparameters } = best;
  return { model_id, dataset, dataset_version, run, artifact, hyperparameters, train_images, learning_curve, search };
}

/** Every held-out image once, without those the model has been trained or validated on. */
function unseen(held: FeatureSet, learned: readonly FeatureSet[]): FeatureSet {
  const seen = new Set(learned.flatMap(({ hashes }) => hashes));
  const features = selectFeatures(held, (row) => {
    const hash = held.hashes[row] ?? '';
    const isNew = !seen.has(hash);
    seen.add(hash);
    return isNew;
  });
  if (features.rows > 0) return features;
  throw new HeadraceError('HR306', {
    what: 'Every held-out image is among those the model was trained on.',
    next: 'Upload a batch of other images whose manifest says "purpose": "holdout".',
  });
}

async function heldOutPacks(store: ReadableStore, dataset: string): Promise<Pack[]> {
  const prefix = poolPrefix(dataset, 'held-out');
  const summaries = await store.listJson(prefix, batchSummary);
  const packs = summaries.flatMap((summary) => summary.packs);
  if (packs.length > 0) return packs;
  throw new HeadraceError('HR306', {
    what: `There is no held-out batch of ${dataset} to measure the model on.`,
    got: store.uri(prefix),
    next: 'Upload a batch whose manifest says "purpose": "holdout"; the step is retried, and later `npx headrace runs resume` goes on from here.',
  });
}

async function featuresOf(store: WritableStore, pack: Pack): Promise<FeatureSet> {
  const key = featuresKey(pack);
  const known = await store.find(key);
  if (known) return unpackFeatures(known.bytes);
  const bytes = describePack(await store.open(pack));
  await store.put(key, bytes);
  return unpackFeatures(bytes);
}

interface Mistakes {
  readonly features: FeatureSet;
  readonly worst: readonly { index: number; label: number; predicted: number; confidence: number }[];
}

/** The worst mistakes with their pictures. */
async function pictures(store: ReadableStore, packs: readonly Pack[], { features, worst }: Mistakes) {
  const wanted = new Set(worst.map(({ index }) => features.hashes[index]));
  const pixels = new Map<string, Uint8Array>();
  for (const pack of packs) {
    for (const image of unpackImages(await store.open(pack))) {
      if (wanted.has(image.hash)) pixels.set(image.hash, image.pixels);
    }
  }
  return worst.map(({ index, label, predicted, confidence }) => {
    const image = { width: SIDE, height: SIDE, pixels: pixels.get(features.hashes[index]!)! };
    const png = Buffer.from(encodePng(image)).toString('base64');
    return { key: features.keys[index]!, png, label, predicted, confidence };
  });
}
