import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const itemDrained = defineEvent({
  type: 'item.drained',
  version: 1,
  summary: 'An item of the backlog was worked off',
  subject: 'item',
  schema: z.object({ item: z.string() }),
  example: { item: 'item-1' },
});
