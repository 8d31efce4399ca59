import { objectRef } from 'headrace/contract';
import * as z from 'zod';
import { purpose } from './labelled-images';

/** What cleaning found in one batch. Batches that may be used stand in the pool under `accepted` or `held-out`. */
export const batchSummary = z.object({
  id: z.string(),
  dataset: z.string(),
  batch: z.string(),
  purpose,
  /** When the batch arrived, ISO 8601: the later of two corrections of one image counts. */
  time: z.string(),
  outcome: z.enum(['cleaned', 'held-out', 'rejected']),
  quality: z.number(),
  threshold: z.number(),
  reasons: z.array(z.string()),
  accepted: z.number().int(),
  /** Clean images, packed; one object a shard. */
  packs: z.array(objectRef.extend({ images: z.number().int() })),
  quarantined: z.array(z.object({ key: z.string(), reason: z.string(), detail: z.string() })),
});

export type BatchSummary = z.output<typeof batchSummary>;

/** Folder of the pool that holds the summaries of a dataset's batches with this outcome. */
export const poolPrefix = (dataset: string, outcome: BatchSummary['outcome']): string => `pool/${dataset}/${outcome}/`;

/** A batch's id: its name and its run. The same upload again is a batch of its own, so that nothing is overwritten. */
export const batchIdOf = (batch: string, run: { readonly id: string }): string => `${batch}-${run.id.slice(-8)}`;
