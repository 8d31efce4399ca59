import { type BatchFeatures, joinBatches, type SplitDataset } from './dataset';
import { concatFeatures, unpackFeatures } from './pack';

/** The batches of a dataset version, as far as loading needs to know them. */
export type LoadableBatch<Pack> = { purpose: string; packs: readonly Pack[] };

/** Loads the features of every pack with `read` and joins them into one dataset. */
export async function loadDataset<Pack>(
  batches: readonly LoadableBatch<Pack>[],
  read: (pack: Pack) => Promise<Uint8Array>,
): Promise<SplitDataset> {
  const loaded = await Promise.all(
    batches.map(async ({ purpose, packs }): Promise<BatchFeatures> => {
      const parts = await Promise.all(packs.map(async (pack) => unpackFeatures(await read(pack))));
      return { features: concatFeatures(parts), corrects: purpose === 'feedback' };
    }),
  );
  return joinBatches(loaded);
}
