import { concatFeatures, type FeatureSet, selectFeatures } from './pack';
import { isValidation } from './search';

/** The features of one batch, in the order in which batches arrived. */
export type BatchFeatures = {
  features: FeatureSet;
  /** Its labels override earlier ones of the same pixels. */
  corrects: boolean;
};

/** A dataset version as training sees it. */
export type SplitDataset = { train: FeatureSet; validation: FeatureSet };

/**
 * Joins batches into one dataset: every picture once, by the hash of its pixels, with its first label unless a later
 * correction overrides it. The split depends on the hash alone, so a picture never changes sides between versions.
 */
export function joinBatches(batches: readonly BatchFeatures[]): SplitDataset {
  const all = concatFeatures(batches.map(({ features }) => features));
  const corrections = new Map<string, number>();
  for (const { features, corrects } of batches) {
    if (!corrects) continue;
    for (const [row, hash] of features.hashes.entries()) corrections.set(hash, features.labels[row]!);
  }
  const seen = new Set<string>();
  const once = selectFeatures(all, (row) => {
    const hash = all.hashes[row]!;
    if (seen.has(hash)) return false;
    seen.add(hash);
    return true;
  });
  once.hashes.forEach((hash, row) => {
    const label = corrections.get(hash);
    if (label !== undefined) once.labels[row] = label;
  });
  return {
    train: selectFeatures(once, (row) => !isValidation(once.hashes[row]!)),
    validation: selectFeatures(once, (row) => isValidation(once.hashes[row]!)),
  };
}
