import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const predictionMade = defineEvent({
  type: 'prediction.made',
  version: 1,
  summary: 'The champion read an image',
  subject: 'request_id',
  schema: z.object({
    request_id: z.string().min(1),
    dataset: z.string(),
    image: z.string(),
    model_id: z.string(),
    label: z.string(),
    /** Probability the model gives its answer. */
    confidence: z.number().min(0).max(1),
  }),
  example: {
    request_id: 'r-1',
    dataset: 'digits',
    image: 's3://datasets/inbox/digits/images/unlabelled/seven.png',
    model_id: 'digits-5d41402abc4b2a76',
    label: '7',
    confidence: 0.998,
  },
});
