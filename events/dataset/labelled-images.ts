import { defineFamily, objectRef } from 'headrace/contract';
import * as z from 'zod';

/** What a batch is for. The held-out batch is never trained on; feedback overrides earlier labels. */
export const purpose = z.enum(['training', 'holdout', 'feedback', 'single']);

/**
 * Labelled images that want to be trained on. Whoever emits a member of this family feeds the training workflow,
 * without the workflow knowing of it.
 */
export const labelledImages = defineFamily({
  name: 'labelled-images',
  summary: 'A batch of labelled images lies in the datasets store',
  schema: z.object({
    dataset: z.string(),
    batch: z.string(),
    purpose,
    /** JSON list of the batch's WebDataset shards. */
    manifest: objectRef,
    images: z.number().int().positive(),
  }),
});
