import { objectRef } from 'headrace/contract';
import * as z from 'zod';
import { hyperparameters } from './trial';

/** The object `model.evaluated` names: all that is known of how good a model is. */
export const evaluation = z.object({
  model_id: z.string(),
  dataset: z.string(),
  dataset_version: z.string(),
  run: z.string(),
  train_images: z.number().int(),
  artifact: objectRef,
  hyperparameters,
  test: z.object({
    count: z.number().int(),
    accuracy: z.number(),
    logLoss: z.number(),
    perClass: z.array(
      z.object({
        label: z.number().int(),
        count: z.number().int(),
        precision: z.number(),
        recall: z.number(),
        f1: z.number(),
      }),
    ),
    /** Rows: true class; columns: predicted class. */
    confusion: z.array(z.array(z.number().int())),
    calibration: z.object({
      ece: z.number(),
      bins: z.array(
        z.object({
          from: z.number(),
          to: z.number(),
          count: z.number(),
          confidence: z.number(),
          accuracy: z.number(),
        }),
      ),
    }),
  }),
  worst: z.array(
    z.object({ key: z.string(), png: z.base64(), label: z.number(), predicted: z.number(), confidence: z.number() }),
  ),
  learning_curve: z.array(z.object({ epoch: z.number(), loss: z.number() })),
  search: z.array(z.object({ hyperparameters, validation_accuracy: z.number() })),
});

export type Evaluation = z.output<typeof evaluation>;
