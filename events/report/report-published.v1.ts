import { defineEvent, objectRef } from 'headrace/contract';
import * as z from 'zod';

export const reportPublished = defineEvent({
  type: 'report.published',
  version: 1,
  summary: 'A report about a model can be opened',
  subject: 'model_id',
  schema: z.object({ model_id: z.string(), decision: z.enum(['deployed', 'withheld']), report: objectRef }),
  example: {
    model_id: 'digits-5d41402abc4b2a76',
    decision: 'deployed',
    report: {
      uri: 's3://models/digits/5d41/report.html',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 180000,
    },
  },
});
