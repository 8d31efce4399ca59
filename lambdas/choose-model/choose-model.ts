import { itemsKey } from 'headrace/module';
import { runKey, type StepLogic } from 'headrace/runtime';
import * as z from 'zod';
import { datasetVersion, featuresKey, RUN_VERSION } from '../../events/dataset/dataset-version';
import { modelTrained } from '../../events/model/model-trained.v1';
import { modelKey, RUN_MODEL, type RunModel } from '../../events/model/run-model';
import { type TrialResult, trial, trialName, trialResult } from '../../events/model/trial';
import { loadDataset } from '../../vision/load-dataset';
import { packFeatures } from '../../vision/pack';
import type step from './module';

/** Keeps the best trial as the run's model. Its name is a hash of its bytes: equal models have one name. */
export const chooseModel: StepLogic<typeof step> = async ({ run }, { stores, runs, log }) => {
  const { dataset, version, batches } = await runs.getJson(runKey(run, RUN_VERSION), datasetVersion);
  const trials = await runs.getJson(itemsKey(run.id, 'plan-trials'), z.array(trial));
  const results = await Promise.all(
    trials.map(({ trial: number }) => runs.getJson(runKey(run, trialName(number, 'result.json')), trialResult)),
  );
  const best = bestOf(results);
  log.info('trial chosen', { trial: best.trial, validation_accuracy: best.validation_accuracy });
  const { validation } = await loadDataset(batches, (pack) => stores.datasets.get(featuresKey(pack)));
  const model_id = `${dataset}-${best.model.sha256.slice(0, 12)}`;
  const model: RunModel = {
    model_id,
    dataset,
    dataset_version: version,
    artifact: await stores.models.put(modelKey(dataset, model_id, 'model.safetensors'), await runs.open(best.model)),
    validation: await stores.models.put(modelKey(dataset, model_id, 'validation.bin'), packFeatures(validation)),
    best,
    search: results.map(({ hyperparameters, validation_accuracy }) => ({ hyperparameters, validation_accuracy })),
  };
  await runs.putJson(runKey(run, RUN_MODEL), model);
  return {
    outcome: 'chosen',
    events: [
      modelTrained.create({
        model_id,
        accuracy: best.validation_accuracy,
        timestamp: Math.floor(Date.now() / 1000),
        dataset,
        dataset_version: version,
        run: run.id,
        train_images: best.train_images,
        artifact: model.artifact,
        hyperparameters: best.hyperparameters,
      }),
    ],
  };
};

/** The trial with the highest validation accuracy; among equals the first. */
export function bestOf(results: readonly TrialResult[]): TrialResult {
  return results.reduce((best, each) => (each.validation_accuracy > best.validation_accuracy ? each : best));
}
