import { defineEvent } from 'headrace/contract';
import * as z from 'zod';
import { labelledImages } from '../../events/dataset/labelled-images';

/** The module brings its own contract. Naming the family is all it takes to be trained on. */
export const datasetAugmented = defineEvent({
  type: 'dataset.augmented',
  version: 1,
  summary: 'More images were made from those of a batch',
  subject: 'dataset',
  families: [labelledImages],
  schema: labelledImages.schema.extend({
    /** The batch they were made from. */
    source_batch: z.string(),
  }),
  example: {
    dataset: 'digits',
    batch: 'batch-1-augmented',
    purpose: 'training',
    manifest: {
      uri: 's3://datasets/augmented/digits/batch-1/manifest.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 2048,
    },
    images: 2000,
    source_batch: 'batch-1',
  },
});
