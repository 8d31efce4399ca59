import { defineEvent, objectRef } from 'headrace/contract';
import * as z from 'zod';

export const datasetRejected = defineEvent({
  type: 'dataset.rejected',
  version: 1,
  summary: 'A batch is below the quality threshold; nothing was trained on it',
  subject: 'dataset',
  schema: z.object({
    dataset: z.string(),
    batch: z.string(),
    run: z.string(),
    accepted: z.number().int().nonnegative(),
    quarantined: z.number().int().nonnegative(),
    quality: z.number().min(0).max(1),
    threshold: z.number().min(0).max(1),
    reasons: z.array(z.string()),
    /** The first bad images with the reason for each; the whole list lies in `summary`. */
    bad_images: z.array(z.object({ key: z.string(), reason: z.string() })).max(25),
    summary: objectRef,
  }),
  example: {
    dataset: 'digits',
    batch: 'batch-2',
    run: 'train-digits-7d793037a0760186',
    accepted: 120,
    quarantined: 80,
    quality: 0.6,
    threshold: 0.9,
    reasons: ['80 of 200 images are unusable'],
    bad_images: [{ key: '000017', reason: 'truncated' }],
    summary: {
      uri: 's3://datasets/batches/digits/batch-2/summary.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 4410,
    },
  },
});
