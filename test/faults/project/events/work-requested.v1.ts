import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const workRequested = defineEvent({
  type: 'work.requested',
  version: 1,
  summary: 'Somebody wants an effect',
  subject: 'work',
  schema: z.object({ work: z.string() }),
  example: { work: 'work-1' },
});
