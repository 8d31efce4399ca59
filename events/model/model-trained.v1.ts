import { defineEvent, objectRef } from 'headrace/contract';
import * as z from 'zod';

export const modelTrained = defineEvent({
  type: 'model.trained',
  version: 1,
  summary: 'A model was trained; its accuracy is that on the validation images',
  subject: 'model_id',
  schema: z.object({
    model_id: z.string().min(1),
    accuracy: z.number().min(0).max(1),
    /** Unix time, seconds. */
    timestamp: z.number().int().nonnegative(),
    dataset: z.string().optional(),
    dataset_version: z.string().optional(),
    run: z.string().optional(),
    train_images: z.number().int().positive().optional(),
    /** The model itself, in safetensors form. */
    artifact: objectRef.optional(),
    hyperparameters: z.record(z.string(), z.number()).optional(),
  }),
  example: { model_id: 'resnet50_v1', accuracy: 0.95, timestamp: 1625097600 },
});
