import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const batonPassed = defineEvent({
  type: 'baton.passed',
  version: 1,
  summary: 'The baton has a new runner',
  subject: 'chain',
  schema: z.object({ chain: z.string() }),
  example: { chain: 'chain-1' },
});
