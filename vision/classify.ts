import { type Network, predict } from './network';
import { dequantize, type FeatureSet } from './pack';

/** Class probabilities of every row: `rows` x classes, row by row. */
export function classify(network: Network, { values }: FeatureSet): Float32Array {
  return predict(network, dequantize(values));
}

/** Share of rows whose most probable class is their label. */
export function accuracyOf(network: Network, features: FeatureSet): number {
  const probabilities = classify(network, features);
  let right = 0;
  features.labels.forEach((label, row) => {
    const one = probabilities.subarray(row * network.classes, (row + 1) * network.classes);
    if (one.indexOf(Math.max(...one)) === label) right++;
  });
  return features.rows === 0 ? 0 : right / features.rows;
}
