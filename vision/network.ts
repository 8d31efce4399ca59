/**
 * The classifier: softmax regression, or one hidden layer, on the features of `features.ts`.
 * `layers` says what it computes, `training` how it learns, `model-file` how it is kept.
 */
export { type Hyperparameters, type Layer, type Network, predict } from './layers';
export { deserialize, loadModel, type ModelMeta, serialize, serializeModel } from './model-file';
export { initNetwork, type TrainingData, type TrainingState, trainEpochs } from './training';
