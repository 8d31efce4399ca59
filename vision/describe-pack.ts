import { SIDE } from './defects';
import { extractFeatures, FEATURE_DIMS } from './features';
import { type FeatureSet, packFeatures, quantize, unpackImages } from './pack';

/** The features of a pack of clean images, in the pack's order, as bytes (see `quantize`). */
export function describePack(pack: Uint8Array): Uint8Array {
  const images = unpackImages(pack);
  const values = new Uint8Array(images.length * FEATURE_DIMS);
  images.forEach(({ pixels }, row) => {
    values.set(quantize(extractFeatures({ width: SIDE, height: SIDE, pixels })), row * FEATURE_DIMS);
  });
  const features: FeatureSet = {
    rows: images.length,
    dims: FEATURE_DIMS,
    labels: Uint8Array.from(images, ({ label }) => label),
    hashes: images.map(({ hash }) => hash),
    keys: images.map(({ key }) => key),
    values,
  };
  return packFeatures(features);
}
