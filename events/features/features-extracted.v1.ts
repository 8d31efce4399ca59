import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const featuresExtracted = defineEvent({
  type: 'features.extracted',
  version: 1,
  summary: 'Every shard of a dataset version has its features',
  subject: 'dataset',
  schema: z.object({
    dataset: z.string(),
    /** Hash of what the version holds: equal content, equal version. */
    dataset_version: z.string(),
    run: z.string(),
    shards: z.number().int().positive(),
    train_images: z.number().int().nonnegative(),
    validation_images: z.number().int().nonnegative(),
    /** Length of one feature vector. */
    dims: z.number().int().positive(),
  }),
  example: {
    dataset: 'digits',
    dataset_version: '3c59dc048e885024',
    run: 'train-digits-5d41402abc4b2a76',
    shards: 10,
    train_images: 8983,
    validation_images: 969,
    dims: 392,
  },
});
