import { objectRef } from 'headrace/contract';
import * as z from 'zod';
import { purpose } from './labelled-images';

/** One batch of a dataset version. */
export const versionBatch = z.object({
  id: z.string(),
  batch: z.string(),
  purpose,
  time: z.string(),
  packs: z.array(objectRef.extend({ images: z.number().int() })),
});

/** What a run trains on: fixed once, so that a resumed run sees the same. */
export const datasetVersion = z.object({
  dataset: z.string(),
  /** Hash of the content: 16 hex digits. */
  version: z.string(),
  batches: z.array(versionBatch),
});

export type DatasetVersion = z.output<typeof datasetVersion>;

export const versionKey = (dataset: string, version: string): string => `versions/${dataset}/${version}.json`;

/** Where the features of a pack lie: by the pack's content, so that no later run computes them again. */
export const featuresKey = (pack: { readonly sha256: string }): string => `features/hog-v1/${pack.sha256}.bin`;

/** The version a run has fixed, among the run's own objects. */
export const RUN_VERSION = 'version.json';
