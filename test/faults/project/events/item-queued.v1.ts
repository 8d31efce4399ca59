import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const itemQueued = defineEvent({
  type: 'item.queued',
  version: 1,
  summary: 'One item of a backlog',
  subject: 'item',
  schema: z.object({ item: z.string() }),
  example: { item: 'item-1' },
});
