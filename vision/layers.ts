import { type Matrix, multiplyTransposed, zeros } from './matrix';
import { gaussian, random } from './rng';

// Bound once: looked up on the global object they are slow inside a vm context, such as Jest's.
const { exp, max } = Math;

/** What is chosen before training. Same hyperparameters and same data give the same model, to the bit. */
export type Hyperparameters = {
  /** Units of the hidden layer; 0 for none (softmax regression). */
  hidden: number;
  /** Peak step size; it falls to zero over `epochs` along half a cosine. */
  learningRate: number;
  /** Share by which weights shrink each step, times the step size (decoupled weight decay). */
  weightDecay: number;
  /** Passes over the training data. */
  epochs: number;
  /** Pictures a step. */
  batchSize: number;
  /** Determines first weights and the order of pictures. */
  seed: number;
};

/** One affine layer: `weight` has a row for each output, as in PyTorch's `Linear`. */
export type Layer = { weight: Matrix; bias: Float32Array };

/** One or two layers with max(0, x) between them, and a softmax at the end. */
export type Network = { dims: number; hidden: number; classes: number; layers: Layer[] };

/** Random first weights, scaled to keep the signal's variance (He et al. 2015); biases zero. */
export function randomNetwork(hyperparameters: Hyperparameters, dims: number, classes: number): Network {
  const { hidden, seed } = hyperparameters;
  const widths = hidden > 0 ? [dims, hidden, classes] : [dims, classes];
  const next = random(seed, -1);
  const layers = widths.slice(1).map((outputs, i) => {
    const weight = zeros(outputs, widths[i]!);
    const deviation = Math.sqrt(2 / widths[i]!);
    for (let w = 0; w < weight.values.length; w++) weight.values[w] = deviation * gaussian(next);
    return { weight, bias: new Float32Array(outputs) };
  });
  return { dims, hidden, classes, layers };
}

/**
 * Class probabilities of one picture, or of many at once.
 * @param features `rows * dims` values, row by row
 * @returns `rows * classes` probabilities, row by row
 */
export function predict(network: Network, features: Float32Array): Float32Array {
  const rows = features.length / network.dims;
  if (!Number.isInteger(rows))
    throw new RangeError(`${features.length} values are not rows of ${network.dims} features`);
  let signal: Matrix = { rows, cols: network.dims, values: features };
  network.layers.forEach(({ weight, bias }, i) => {
    const out = zeros(rows, weight.rows);
    multiplyTransposed(signal, weight, bias, out);
    if (i < network.layers.length - 1) rectify(out);
    signal = out;
  });
  softmax(signal);
  return signal.values;
}

/** max(0, x) in place. */
export function rectify({ rows, cols, values }: Matrix): void {
  for (let i = 0; i < rows * cols; i++) if (values[i]! < 0) values[i] = 0;
}

/** Turns each row of scores into probabilities, in place. */
export function softmax({ rows, cols, values }: Matrix): void {
  for (let i = 0, at = 0; i < rows; i++, at += cols) {
    let highest = Number.NEGATIVE_INFINITY;
    for (let j = at; j < at + cols; j++) highest = max(highest, values[j]!);
    let sum = 0;
    for (let j = at; j < at + cols; j++) {
      const e = exp(values[j]! - highest);
      values[j] = e;
      sum += e;
    }
    for (let j = at; j < at + cols; j++) values[j]! /= sum;
  }
}
