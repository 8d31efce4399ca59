import { defineEvent, objectRef } from 'headrace/contract';
import * as z from 'zod';
import { labelledImages, purpose } from './labelled-images';

export const datasetArrived = defineEvent({
  type: 'dataset.arrived',
  version: 1,
  summary: 'A batch of labelled images lies in the store, whole',
  subject: 'dataset',
  families: [labelledImages],
  schema: z.object({
    dataset: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes'),
    batch: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes'),
    purpose,
    manifest: objectRef,
    images: z.number().int().positive(),
  }),
  example: {
    dataset: 'digits',
    batch: 'batch-1',
    purpose: 'training',
    manifest: {
      uri: 's3://datasets/inbox/digits/batch-1/manifest.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 2048,
    },
    images: 10000,
  },
});
