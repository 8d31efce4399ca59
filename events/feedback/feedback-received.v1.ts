import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const feedbackReceived = defineEvent({
  type: 'feedback.received',
  version: 1,
  summary: 'Somebody corrected what the model said about some images',
  subject: 'feedback_id',
  schema: z.object({
    feedback_id: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes'),
    dataset: z.string(),
    corrections: z
      .array(
        z.object({
          /** The image, a PNG in the datasets store. */
          image: z.string().regex(/^s3:\/\/[a-z0-9.-]+\/.+$/, 'must be s3://bucket/key'),
          /** What it really shows. */
          label: z.string(),
        }),
      )
      .min(1)
      .max(500),
  }),
  example: {
    feedback_id: 'f-1',
    dataset: 'digits',
    corrections: [{ image: 's3://datasets/inbox/digits/images/unlabelled/seven.png', label: '1' }],
  },
});
