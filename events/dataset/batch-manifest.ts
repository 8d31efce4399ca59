import * as z from 'zod';
import { purpose } from './labelled-images';

/** The object a batch event's `manifest` names: the batch's WebDataset shards, which lie beside it. */
export const batchManifest = z.object({
  dataset: z.string(),
  batch: z.string(),
  purpose,
  shards: z
    .array(
      z.object({
        /** File name, relative to the manifest's folder: `shard-0000.tar`. */
        file: z.string().regex(/^[\w.-]+\.tar$/, 'must be a plain file name ending in .tar'),
        images: z.number().int().positive(),
      }),
    )
    .min(1),
});

export type BatchManifest = z.output<typeof batchManifest>;

/** The key of a shard, beside its manifest. */
export const shardKey = (manifestKey: string, file: string): string =>
  `${manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1)}${file}`;
