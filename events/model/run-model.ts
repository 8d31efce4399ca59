import { objectRef } from 'headrace/contract';
import * as z from 'zod';
import { hyperparameters, trialResult } from './trial';

/** The model a run has chosen, among the run's own objects. */
export const RUN_MODEL = 'model.json';

export const runModel = z.object({
  model_id: z.string(),
  dataset: z.string(),
  dataset_version: z.string(),
  artifact: objectRef,
  validation: objectRef,
  best: trialResult,
  search: z.array(z.object({ hyperparameters, validation_accuracy: z.number() })),
});

export type RunModel = z.output<typeof runModel>;

/** Where what belongs to a model lies in the models store. */
export const modelKey = (dataset: string, modelId: string, name: string): string => `${dataset}/${modelId}/${name}`;
