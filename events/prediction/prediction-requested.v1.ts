import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const predictionRequested = defineEvent({
  type: 'prediction.requested',
  version: 1,
  summary: 'Somebody wants to know what an image shows',
  subject: 'request_id',
  schema: z.object({
    request_id: z.string().min(1),
    dataset: z.string(),
    /** The image, a PNG in the datasets store. */
    image: z.string().regex(/^s3:\/\/[a-z0-9.-]+\/.+$/, 'must be s3://bucket/key'),
  }),
  example: { request_id: 'r-1', dataset: 'digits', image: 's3://datasets/inbox/digits/images/unlabelled/seven.png' },
});
