import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const wordNoted = defineEvent({
  type: 'word.noted',
  version: 1,
  summary: 'A word stands in the table',
  subject: 'chain',
  schema: z.object({ chain: z.string() }),
  example: { chain: 'chain-1' },
});
