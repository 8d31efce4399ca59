import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const championAnnounced = defineEvent({
  type: 'champion.announced',
  version: 1,
  summary: 'Everybody was told which model serves now',
  subject: 'model_id',
  schema: z.object({ model_id: z.string(), message: z.string() }),
  example: { model_id: 'digits-5d41402abc4b', message: 'digits-5d41402abc4b serves now (98.70 %)' },
});
