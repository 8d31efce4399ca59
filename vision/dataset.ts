import { concatFeatures, type FeatureSet, pickFeatures } from './pack';
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
 * correction overrides it. Split and order depend on the hashes alone: a picture never changes sides between versions,
 * and it makes no difference which batch came first.
 */
export function joinBatches(batches: readonly BatchFeatures[]): SplitDataset {
  const all = concatFeatures(batches.map(({ features }) => features));
  const corrections = new Map<string, number>();
  for (const { features, corrects } of batches) {
    if (!corrects) continue;
    for (const [row, hash] of features.hashes.entries()) corrections.set(hash, features.labels[row]!);
  }
  const first = new Map<string, number>();
  for (const [row, hash] of all.hashes.entries()) {
    if (!first.has(hash)) first.set(hash, row);
    const corrected = corrections.get(hash);
    if (corrected !== undefined) all.labels[row] = corrected;
  }
  const hashes = [...first.keys()].sort();
  const rowsOf = (some: readonly string[]) => some.map((hash) => first.get(hash)!);
  return {
    train: pickFeatures(all, rowsOf(hashes.filter((hash) => !isValidation(hash)))),
    validation: pickFeatures(all, rowsOf(hashes.filter(isValidation))),
  };
}
