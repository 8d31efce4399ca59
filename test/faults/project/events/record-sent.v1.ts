import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

/** What a record does to the function that handles it. The other ways to be poison never reach a handler. */
export const conduct = z.enum(['good', 'throws', 'refused', 'crashes', 'hangs']);

export const recordSent = defineEvent({
  type: 'record.sent',
  version: 1,
  summary: 'A record, good or poison',
  subject: 'record',
  schema: z.object({ record: z.string(), conduct }),
  example: { record: 'record-1', conduct: 'good' },
});
