import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const modelAnnounced = defineEvent({
  type: 'model.announced',
  version: 1,
  summary: 'Everybody was told of a new model',
  subject: 'model_id',
  schema: z.object({ model_id: z.string(), message: z.string() }),
  example: { model_id: 'resnet50_v1', message: 'resnet50_v1 was trained: 95.00 %' },
});
