import type { ObjectRef } from '../../lib/contract';
import type { WritableStore } from '../../lib/runtime';
import { CLASSES } from '../../vision/defects';
import { describePack } from '../../vision/describe-pack';
import { type Hyperparameters, initNetwork, type Network, serializeModel, trainEpochs } from '../../vision/network';
import { type FeatureSet, packFeatures, packImages, unpackFeatures } from '../../vision/pack';
import { packedDigits } from './digits';

const HYPERPARAMETERS: Hyperparameters = {
  hidden: 0,
  learningRate: 0.01,
  weightDecay: 0.01,
  epochs: 8,
  batchSize: 32,
  seed: 1,
};

/** Features of real digits, as extract-features writes them. */
export const digitFeatures = (count: number, from = 0): FeatureSet =>
  unpackFeatures(describePack(packImages(packedDigits(count, from))));

/** A network that has learnt from these digits : good, not perfect. */
export function trained(features: FeatureSet): Network {
  const start = initNetwork(HYPERPARAMETERS, features.dims, CLASSES);
  return trainEpochs(start, features, { from: 0, to: HYPERPARAMETERS.epochs }).network;
}

/** A network that has learnt nothing. */
export const untrained = (features: FeatureSet): Network =>
  initNetwork(HYPERPARAMETERS, features.dims, CLASSES).network;

/** Puts a model where the pipeline keeps it. */
export const putModel = (models: WritableStore, id: string, network: Network): Promise<ObjectRef> =>
  models.put(`digits/${id}/model.safetensors`, serializeModel(network));

/** Puts validation images where the pipeline keeps them. */
export const putValidation = (models: WritableStore, id: string, features: FeatureSet): Promise<ObjectRef> =>
  models.put(`digits/${id}/validation.bin`, packFeatures(features));
