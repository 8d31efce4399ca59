import { type Hyperparameters, type Layer, type Network, randomNetwork, rectify, softmax } from './layers';
import { type Matrix, multiply, multiplyTransposed, transposedMultiply, zeros } from './matrix';
import { permutation, random } from './rng';

// Bound once: looked up on the global object they are slow inside a vm context, such as Jest's.
const { sqrt } = Math;

/** Rows to learn from: bytes stand for value / 255, floats for themselves; labels are class numbers. */
export type TrainingData = { rows: number; dims: number; labels: Uint8Array; values: Uint8Array | Float32Array };

/** Everything a later process needs to go on: weights, the optimiser's moments, the epoch reached, the losses so far. */
export type TrainingState = {
  hyperparameters: Hyperparameters;
  network: Network;
  /** Running mean of the gradients and of their squares, shaped like the layers. */
  moments: { mean: Layer[]; square: Layer[] };
  /** Epochs done. */
  epoch: number;
  /** Mean cross-entropy of the training data as met during each epoch, in nats. */
  history: { epoch: number; loss: number }[];
};

const MEAN_DECAY = 0.9;
const SQUARE_DECAY = 0.999;
const TINY = 1e-8;

/** A state before its first epoch. */
export function initNetwork(hyperparameters: Hyperparameters, dims: number, classes: number): TrainingState {
  const network = randomNetwork(hyperparameters, dims, classes);
  const moments = { mean: network.layers.map(zeroLayer), square: network.layers.map(zeroLayer) };
  return { hyperparameters, network, moments, epoch: 0, history: [] };
}

/**
 * Trains epochs `from`..`to` (exclusive) and returns a new state; the given one is untouched.
 * Training 0..N at once equals, to the bit, training it in slices with the state serialised in between: the order of
 * pictures is derived from (seed, epoch), and the step size from the epoch and the batch.
 *
 * Optimiser: Adam (Kingma and Ba 2015) with decoupled weight decay and a cosine schedule (Loshchilov and Hutter 2019).
 *
 * @throws RangeError when `from` is not the epoch the state has reached, `to` exceeds the planned epochs, or
 *   data and network do not fit
 */
export function trainEpochs(
  state: TrainingState,
  data: TrainingData,
  { from, to }: { from: number; to: number },
): TrainingState {
  assertFit(state, data, from, to);
  const next = copyState(state);
  const trainer = new Trainer(next, data);
  for (let epoch = from; epoch < to; epoch++) {
    const loss = trainer.epoch(epoch);
    next.history.push({ epoch, loss });
    next.epoch = epoch + 1;
  }
  return next;
}

function assertFit(state: TrainingState, data: TrainingData, from: number, to: number): void {
  const { network, hyperparameters, epoch } = state;
  if (from !== epoch) throw new RangeError(`the state has reached epoch ${epoch}, cannot train from ${from}`);
  if (to > hyperparameters.epochs)
    throw new RangeError(`planned for ${hyperparameters.epochs} epochs, cannot train to ${to}`);
  if (data.rows === 0) throw new RangeError('no rows to train on');
  if (data.dims !== network.dims)
    throw new RangeError(`data has ${data.dims} features, the network takes ${network.dims}`);
  for (const label of data.labels) {
    if (label >= network.classes) throw new RangeError(`label ${label} is not one of ${network.classes} classes`);
  }
}

/** One process's buffers around a state it advances in place. */
class Trainer {
  readonly #state: TrainingState;
  readonly #data: TrainingData;
  readonly #input: Matrix;
  readonly #labels: Uint8Array;
  readonly #signals: Matrix[];
  readonly #slopes: Matrix[];
  readonly #gradients: Layer[];

  constructor(state: TrainingState, data: TrainingData) {
    const { layers } = state.network;
    const rows = Math.min(state.hyperparameters.batchSize, data.rows);
    this.#state = state;
    this.#data = data;
    this.#input = zeros(rows, data.dims);
    this.#labels = new Uint8Array(rows);
    this.#signals = layers.map(({ weight }) => zeros(rows, weight.rows));
    this.#slopes = layers.map(({ weight }) => zeros(rows, weight.rows));
    this.#gradients = layers.map(zeroLayer);
  }

  /** @returns mean loss */
  epoch(epoch: number): number {
    const { rows } = this.#data;
    const { batchSize, seed } = this.#state.hyperparameters;
    const order = permutation(rows, random(seed, epoch));
    const batches = Math.ceil(rows / batchSize);
    let loss = 0;
    for (let batch = 0; batch < batches; batch++) {
      this.#gather(order.subarray(batch * batchSize, (batch + 1) * batchSize));
      this.#forward();
      loss += this.#backward();
      this.#step(epoch * batches + batch, batches);
    }
    return loss / rows;
  }

  #gather(picked: Uint32Array): void {
    const { dims, values, labels } = this.#data;
    const scale = values instanceof Uint8Array ? 1 / 255 : 1;
    const input = this.#input.values;
    for (const matrix of [this.#input, ...this.#signals, ...this.#slopes]) matrix.rows = picked.length;
    for (let i = 0, at = 0; i < picked.length; i++) {
      const row = picked[i]!;
      this.#labels[i] = labels[row]!;
      for (let d = row * dims; d < (row + 1) * dims; d++, at++) input[at] = values[d]! * scale;
    }
  }

  #forward(): void {
    const { layers } = this.#state.network;
    layers.forEach(({ weight, bias }, i) => {
      const out = this.#signals[i]!;
      multiplyTransposed(i === 0 ? this.#input : this.#signals[i - 1]!, weight, bias, out);
      if (i < layers.length - 1) rectify(out);
      else softmax(out);
    });
  }

  /** @returns summed loss of the batch */
  #backward(): number {
    const { layers } = this.#state.network;
    const last = layers.length - 1;
    const loss = crossEntropySlopes(this.#signals[last]!, this.#labels, this.#slopes[last]!);
    for (let i = last; i >= 0; i--) {
      const slopes = this.#slopes[i]!;
      const below = i === 0 ? this.#input : this.#signals[i - 1]!;
      transposedMultiply(slopes, below, this.#gradients[i]!.weight);
      sumRows(slopes, this.#gradients[i]!.bias);
      if (i === 0) break;
      multiply(slopes, layers[i]!.weight, this.#slopes[i - 1]!);
      silence(this.#slopes[i - 1]!, below);
    }
    return loss;
  }

  #step(step: number, batches: number): void {
    const { hyperparameters, network, moments } = this.#state;
    const progress = step / (hyperparameters.epochs * batches);
    const rate = hyperparameters.learningRate * 0.5 * (1 + Math.cos(Math.PI * progress));
    const size = (rate * sqrt(1 - SQUARE_DECAY ** (step + 1))) / (1 - MEAN_DECAY ** (step + 1));
    network.layers.forEach((layer, i) => {
      const gradient = this.#gradients[i]!;
      const mean = moments.mean[i]!;
      const square = moments.square[i]!;
      const keep = 1 - rate * hyperparameters.weightDecay;
      adam(layer.weight.values, gradient.weight.values, [mean.weight.values, square.weight.values], { size, keep });
      adam(layer.bias, gradient.bias, [mean.bias, square.bias], { size, keep: 1 });
    });
  }
}

type Step = { size: number; keep: number };

function adam(
  weights: Float32Array,
  gradient: Float32Array,
  moments: [Float32Array, Float32Array],
  { size, keep }: Step,
): void {
  const [mean, square] = moments;
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i]!;
    const m = MEAN_DECAY * mean[i]! + (1 - MEAN_DECAY) * g;
    const s = SQUARE_DECAY * square[i]! + (1 - SQUARE_DECAY) * g * g;
    mean[i] = m;
    square[i] = s;
    weights[i] = keep * weights[i]! - (size * m) / (sqrt(s) + TINY);
  }
}

/** Slope of the mean cross-entropy by the scores: (probability - truth) / rows. @returns summed loss */
function crossEntropySlopes(probabilities: Matrix, labels: Uint8Array, slopes: Matrix): number {
  const { rows, cols, values } = probabilities;
  let loss = 0;
  for (let i = 0, at = 0; i < rows; i++, at += cols) {
    for (let j = 0; j < cols; j++) slopes.values[at + j] = values[at + j]! / rows;
    const truth = at + labels[i]!;
    slopes.values[truth]! -= 1 / rows;
    loss -= Math.log(Math.max(values[truth]!, 1e-12));
  }
  return loss;
}

function sumRows({ rows, cols, values }: Matrix, out: Float32Array): void {
  for (let j = 0; j < cols; j++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += values[i * cols + j]!;
    out[j] = sum;
  }
}

/** Units that were silent pass no slope on. */
function silence({ rows, cols, values }: Matrix, signal: Matrix): void {
  for (let i = 0; i < rows * cols; i++) if (signal.values[i] === 0) values[i] = 0;
}

function zeroLayer({ weight, bias }: Layer): Layer {
  return { weight: zeros(weight.rows, weight.cols), bias: new Float32Array(bias.length) };
}

function copyState(state: TrainingState): TrainingState {
  return structuredClone(state);
}
