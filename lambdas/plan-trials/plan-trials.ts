import { runKey, type StepLogic } from 'headrace/runtime';
import { datasetVersion, featuresKey, RUN_VERSION } from '../../events/dataset/dataset-version';
import { featuresExtracted } from '../../events/features/features-extracted.v1';
import type { Trial } from '../../events/model/trial';
import { loadDataset } from '../../vision/load-dataset';
import { candidates } from '../../vision/search';
import { epochsPerSlice } from './epochs-per-slice';
import type step from './module';

/** Counts what the features hold and lists the candidates of the search. */
export const planTrials: StepLogic<typeof step> = async ({ run }, { stores, runs }) => {
  const { dataset, version, batches } = await runs.getJson(runKey(run, RUN_VERSION), datasetVersion);
  const { train, validation } = await loadDataset(batches, (pack) => stores.datasets.get(featuresKey(pack)));
  const items = candidates(train.rows).map(
    (hyperparameters, trial): Trial => ({
      trial,
      version,
      hyperparameters,
      epochs_per_slice: epochsPerSlice(hyperparameters, train),
    }),
  );
  const facts = featuresExtracted.create({
    dataset,
    dataset_version: version,
    run: run.id,
    shards: batches.reduce((sum, { packs }) => sum + packs.length, 0),
    train_images: train.rows,
    validation_images: validation.rows,
    dims: train.dims,
  });
  return { outcome: 'planned', items, events: [facts] };
};
