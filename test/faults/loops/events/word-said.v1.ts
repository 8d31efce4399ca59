import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const wordSaid = defineEvent({
  type: 'word.said',
  version: 1,
  summary: 'Somebody said a word',
  subject: 'chain',
  schema: z.object({ chain: z.string() }),
  example: { chain: 'chain-1' },
});
