import { defineEvent, objectRef } from 'headrace/contract';
import * as z from 'zod';

export const modelEvaluated = defineEvent({
  type: 'model.evaluated',
  version: 1,
  summary: 'A model was measured on the held-out images',
  subject: 'model_id',
  schema: z.object({
    model_id: z.string().min(1),
    dataset: z.string(),
    dataset_version: z.string(),
    run: z.string(),
    /** On the held-out images: a report, never a reason for a decision. */
    accuracy: z.number().min(0).max(1),
    test_images: z.number().int().positive(),
    /** On the validation images: what the gate decides on. */
    validation_accuracy: z.number().min(0).max(1),
    /** JSON: accuracy per class, confusion, calibration, learning curve, search. */
    evaluation: objectRef,
    artifact: objectRef,
    /** Features and labels of the validation images, for the comparison with a later challenger. */
    validation: objectRef,
  }),
  example: {
    model_id: 'digits-5d41402abc4b2a76',
    dataset: 'digits',
    dataset_version: '3c59dc048e885024',
    run: 'train-digits-5d41402abc4b2a76',
    accuracy: 0.987,
    test_images: 10000,
    validation_accuracy: 0.988,
    evaluation: {
      uri: 's3://models/digits/5d41/evaluation.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 20480,
    },
    artifact: {
      uri: 's3://models/digits/5d41/model.safetensors',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 15880,
    },
    validation: {
      uri: 's3://models/digits/5d41/validation.bin',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 392000,
    },
  },
});
