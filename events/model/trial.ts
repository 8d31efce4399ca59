import { objectRef } from 'headrace/contract';
import * as z from 'zod';

export const hyperparameters = z.object({
  hidden: z.number().int().nonnegative(),
  learningRate: z.number().positive(),
  weightDecay: z.number().nonnegative(),
  epochs: z.number().int().positive(),
  batchSize: z.number().int().positive(),
  seed: z.number().int(),
});

/** One candidate of the search, as the state machine hands it to the trainer. */
export const trial = z.object({
  trial: z.number().int().nonnegative(),
  version: z.string(),
  hyperparameters,
  /** Epochs from one checkpoint to the next. */
  epochs_per_slice: z.number().int().positive(),
});

export type Trial = z.output<typeof trial>;

/** What a finished trial leaves in its run. */
export const trialResult = z.object({
  trial: z.number().int(),
  hyperparameters,
  validation_accuracy: z.number(),
  train_images: z.number().int(),
  learning_curve: z.array(z.object({ epoch: z.number(), loss: z.number() })),
  model: objectRef,
});

export type TrialResult = z.output<typeof trialResult>;

export const trialName = (number: number, name: string): string => `trials/${number}/${name}`;
