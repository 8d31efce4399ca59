import { objectRef } from 'headrace/contract';
import * as z from 'zod';

/** Who serves: the one object in the models store that is replaced, always under its ETag. */
export const champion = z.object({
  model_id: z.string(),
  dataset: z.string(),
  dataset_version: z.string(),
  artifact: objectRef,
  /** Features of the images it was validated on; challengers are measured on the same. */
  validation: objectRef,
  validation_accuracy: z.number(),
  since: z.string(),
  /** Whom it replaced. */
  replaced: z.string().optional(),
});

export type Champion = z.output<typeof champion>;

export const championKey = (dataset: string): string => `champions/${dataset}.json`;

/** Dataset versions whose model was withheld; the batches that are new in them rest until they are sent again. */
export const withheldPrefix = (dataset: string): string => `withheld/${dataset}/`;
