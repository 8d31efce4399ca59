import { type Network, predict } from './network';
import { dequantize, type FeatureSet } from './pack';

/** Class probabilities of every row: `rows` x classes, row by row. */
export function classify(network: Network, { rows, dims, values }: FeatureSet): Float32Array {
  const all = new Float32Array(rows * network.classes);
  for (let row = 0; row < rows; row++) {
    const one = dequantize(values.subarray(row * dims, (row + 1) * dims));
    all.set(predict(network, one), row * network.classes);
  }
  return all;
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
