import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const workDone = defineEvent({
  type: 'work.done',
  version: 1,
  summary: 'The effect was made',
  subject: 'work',
  schema: z.object({ work: z.string() }),
  example: { work: 'work-1' },
});
