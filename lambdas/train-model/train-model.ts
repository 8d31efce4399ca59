import type { Run } from 'headrace/module';
import { type ReadableStore, runKey, type StepContext, type StepLogic } from 'headrace/runtime';
import { datasetVersion, featuresKey, RUN_VERSION } from '../../events/dataset/dataset-version';
import { type Trial, type TrialResult, trial, trialName } from '../../events/model/trial';
import { accuracyOf } from '../../vision/classify';
import type { SplitDataset } from '../../vision/dataset';
import { CLASSES } from '../../vision/defects';
import { loadDataset } from '../../vision/load-dataset';
import {
  deserialize,
  initNetwork,
  serialize,
  serializeModel,
  type TrainingState,
  trainEpochs,
} from '../../vision/network';
import type step from './module';

/**
 * Trains one slice of one trial: from the checkpoint of the turn before to the checkpoint of this turn.
 * A slice gives the same bytes whenever and wherever it runs, so a slice that was cut short is simply run again.
 */
export const trainModel: StepLogic<typeof step> = async ({ run, item, turn }, context) => {
  const { runs, log } = context;
  const planned = trial.parse(item);
  const { hyperparameters, epochs_per_slice } = planned;
  const data = await load(run, runs, context.stores.datasets);
  const from = turn * epochs_per_slice;
  const to = Math.min(from + epochs_per_slice, hyperparameters.epochs);
  const before =
    turn === 0
      ? initNetwork(hyperparameters, data.train.dims, CLASSES)
      : await checkpoint(run, runs, planned, turn - 1);
  const after = trainEpochs(before, data.train, { from, to });
  await runs.put(checkpointKey(run, planned, turn), serialize(after));
  log.info('slice trained', { trial: planned.trial, from, to, loss: after.history.at(-1)?.loss });
  if (to < hyperparameters.epochs) return { outcome: 'unfinished' };
  await finish({ run, planned, after, data }, context);
  return { outcome: 'finished' };
};

interface Finished {
  readonly run: Run;
  readonly planned: Trial;
  readonly after: TrainingState;
  readonly data: SplitDataset;
}

async function finish({ run, planned, after, data }: Finished, { runs }: StepContext): Promise<void> {
  const { trial: number, version, hyperparameters } = planned;
  const bytes = serializeModel(after.network, { dataset_version: version, seed: String(hyperparameters.seed) });
  const result: TrialResult = {
    trial: number,
    hyperparameters,
    validation_accuracy: accuracyOf(after.network, data.validation),
    train_images: data.train.rows,
    learning_curve: after.history,
    model: await runs.put(runKey(run, trialName(number, 'model.safetensors')), bytes),
  };
  await runs.putJson(runKey(run, trialName(number, 'result.json')), result);
}

const checkpointKey = (run: Run, { trial: number }: Trial, turn: number) =>
  runKey(run, trialName(number, `checkpoint-${turn}.bin`));

async function checkpoint(run: Run, runs: ReadableStore, planned: Trial, turn: number): Promise<TrainingState> {
  return deserialize(await runs.get(checkpointKey(run, planned, turn)));
}

async function load(run: Run, runs: ReadableStore, datasets: ReadableStore): Promise<SplitDataset> {
  const { batches } = await runs.getJson(runKey(run, RUN_VERSION), datasetVersion);
  return loadDataset(batches, (pack) => datasets.get(featuresKey(pack)));
}
