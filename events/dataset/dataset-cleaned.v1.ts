import { defineEvent, objectRef } from 'headrace/contract';
import * as z from 'zod';
import { purpose } from './labelled-images';

export const datasetCleaned = defineEvent({
  type: 'dataset.cleaned',
  version: 1,
  summary: 'A batch was checked image by image and is good enough to use',
  subject: 'dataset',
  schema: z.object({
    dataset: z.string(),
    batch: z.string(),
    purpose,
    run: z.string(),
    accepted: z.number().int().nonnegative(),
    quarantined: z.number().int().nonnegative(),
    /** 0 (useless) to 1 (perfect). */
    quality: z.number().min(0).max(1),
    threshold: z.number().min(0).max(1),
    /** JSON summary: the clean packs, and each quarantined image with its reason. */
    summary: objectRef,
  }),
  example: {
    dataset: 'digits',
    batch: 'batch-1',
    purpose: 'training',
    run: 'train-digits-5d41402abc4b2a76',
    accepted: 9952,
    quarantined: 48,
    quality: 0.99,
    threshold: 0.9,
    summary: {
      uri: 's3://datasets/batches/digits/batch-1/summary.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 9120,
    },
  },
});
