import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import {
  deserialize,
  type Hyperparameters,
  initNetwork,
  loadModel,
  predict,
  serialize,
  serializeModel,
  type TrainingData,
  trainEpochs,
} from '../../vision/network';
import { dequantize } from '../../vision/pack';
import { random } from '../../vision/rng';
import { digitFeatures } from './samples';

const base: Hyperparameters = { hidden: 0, learningRate: 0.05, weightDecay: 0.01, epochs: 6, batchSize: 8, seed: 1 };

/** Two classes that no line separates: opposite corners of a square belong together. */
function corners(rows: number): TrainingData {
  const next = random(5);
  const labels = new Uint8Array(rows);
  const values = new Float32Array(rows * 2);
  for (let row = 0; row < rows; row++) {
    const x = Math.round(next());
    const y = Math.round(next());
    labels[row] = x ^ y;
    values.set([x + 0.1 * next(), y + 0.1 * next()], row * 2);
  }
  return { rows, dims: 2, labels, values };
}

function train(hyperparameters: Hyperparameters, data: TrainingData, classes = 2) {
  return trainEpochs(initNetwork(hyperparameters, data.dims, classes), data, { from: 0, to: hyperparameters.epochs });
}

function accuracy(probabilities: Float32Array, labels: Uint8Array, classes: number): number {
  const right = labels.filter((label, row) => {
    const one = probabilities.subarray(row * classes, (row + 1) * classes);
    return one.indexOf(Math.max(...one)) === label;
  });
  return right.length / labels.length;
}

const data = corners(61);

test('training in slices, each in a new process, equals training in one go to the bit', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 5 });
  void fc.assert(
    fc.property(cuts, fc.constantFrom(0, 3, 8), fc.integer({ min: 0, max: 99 }), (cut, hidden, seed) => {
      const hyperparameters = { ...base, hidden, seed };
      const whole = serialize(train(hyperparameters, data));
      let bytes = serialize(initNetwork(hyperparameters, 2, 2));
      const bounds = [0, ...cut.sort((a, b) => a - b), 6];
      bounds.slice(1).forEach((to, i) => {
        bytes = serialize(trainEpochs(deserialize(bytes), data, { from: bounds[i]!, to }));
      });
      expect(Buffer.compare(bytes, whole)).toBe(0);
    }),
    { numRuns: 25 },
  );
});

test('training leaves the given state as it was, so a failed slice can be repeated', () => {
  const start = initNetwork({ ...base, hidden: 4 }, 2, 2);
  const before = serialize(start);
  trainEpochs(start, data, { from: 0, to: 3 });
  expect(serialize(start)).toEqual(before);
});

test('the same seed gives the same file, another seed another', () => {
  const sha = (seed: number) =>
    createHash('sha256')
      .update(serializeModel(train({ ...base, hidden: 4, seed }, data).network, { a: 'b' }))
      .digest('hex');
  expect(sha(1)).toBe(sha(1));
  expect(sha(2)).not.toBe(sha(1));
});

test('the order in which hyperparameters are written does not matter', () => {
  const { seed, ...rest } = base;
  expect(serialize(initNetwork({ seed, ...rest }, 2, 2))).toEqual(serialize(initNetwork({ ...rest, seed }, 2, 2)));
});

test('a hidden layer learns what no line can separate, softmax regression does not', () => {
  const long = { ...base, epochs: 40, weightDecay: 0 };
  const hidden = train({ ...long, hidden: 8 }, data);
  const flat = train(long, data);
  expect(accuracy(predict(hidden.network, data.values as Float32Array), data.labels, 2)).toBe(1);
  expect(accuracy(predict(flat.network, data.values as Float32Array), data.labels, 2)).toBeLessThan(0.9);
});

test('the history has one falling loss for each epoch', () => {
  const { history, epoch } = train({ ...base, hidden: 8 }, data);
  expect(epoch).toBe(6);
  expect(history.map((point) => point.epoch)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(history.at(-1)!.loss).toBeLessThan(history[0]!.loss);
});

test('steps shrink to nothing over the planned epochs, not over each one', () => {
  const next = random(9);
  const values = Float32Array.from({ length: 400 }, next);
  const noise = { rows: 200, dims: 2, labels: Uint8Array.from({ length: 200 }, () => Math.round(next())), values };
  const states = [initNetwork(base, 2, 2)];
  for (let from = 0; from < 6; from++) states.push(trainEpochs(states[from]!, noise, { from, to: from + 1 }));
  const moved = (epoch: number) => {
    const [before, after] = [states[epoch]!, states[epoch + 1]!].map(({ network }) => network.layers[0]!.weight.values);
    return Math.hypot(...after!.map((weight, i) => weight - before![i]!));
  };
  expect(moved(5)).toBeLessThan(0.1 * moved(1));
});

test('weight decay makes weights smaller', () => {
  const size = (weightDecay: number) =>
    train({ ...base, hidden: 8, weightDecay }, data).network.layers[0]!.weight.values.reduce(
      (sum, w) => sum + w * w,
      0,
    );
  expect(size(3)).toBeLessThan(0.8 * size(0));
});

test('bytes are taken as value / 255', () => {
  const bytes = Uint8Array.from({ length: 40 }, (_, i) => (i * 37) % 256);
  const labels = Uint8Array.from({ length: 20 }, (_, i) => i % 2);
  const fromBytes = train(base, { rows: 20, dims: 2, labels, values: bytes });
  const fromFloats = train(base, { rows: 20, dims: 2, labels, values: dequantize(bytes) });
  fromBytes.network.layers[0]!.weight.values.forEach((weight, i) => {
    expect(weight).toBeCloseTo(fromFloats.network.layers[0]!.weight.values[i]!, 5);
  });
});

test('probabilities are shares, and the same for a row alone and among others', () => {
  const { network } = train({ ...base, hidden: 5 }, data);
  const values = data.values as Float32Array;
  const all = predict(network, values);
  for (let row = 0; row < data.rows; row++) {
    const alone = predict(network, values.subarray(row * 2, row * 2 + 2));
    expect([...alone]).toEqual([...all.subarray(row * 2, row * 2 + 2)]);
    expect(alone[0]! + alone[1]!).toBeCloseTo(1, 6);
  }
});

test('enormous scores do not overflow', () => {
  const { network } = initNetwork(base, 1, 2);
  network.layers[0]!.weight.values.set([1e30, -1e30]);
  expect([...predict(network, Float32Array.of(1))]).toEqual([1, 0]);
});

test.each([0, 6])('a model with %i hidden units survives its file, with what was noted beside it', (hidden) => {
  const { network } = train({ ...base, hidden }, data);
  const meta = { dataset: 'corners', note: 'ünïcode' };
  expect(loadModel(serializeModel(network, meta))).toEqual({ network, meta });
});

test('fails when a model is read as a state, or a state as a model', () => {
  const state = initNetwork(base, 2, 2);
  expect(() => deserialize(serializeModel(state.network))).toThrow('not a training state');
  expect(() => loadModel(serialize(state))).toThrow('not a Headrace model');
});

test('fails when metadata would shadow ours', () => {
  expect(() => serializeModel(initNetwork(base, 2, 2).network, { 'headrace.format': 'x' })).toThrow(/reserved/);
});

test('fails when a slice does not begin where the state is, or goes past the plan', () => {
  const start = initNetwork(base, 2, 2);
  expect(() => trainEpochs(start, data, { from: 1, to: 2 })).toThrow(/reached epoch 0, cannot train from 1/);
  expect(() => trainEpochs(start, data, { from: 0, to: 7 })).toThrow(/planned for 6 epochs/);
});

test('fails when data do not fit the network', () => {
  const start = initNetwork(base, 3, 2);
  expect(() => trainEpochs(start, data, { from: 0, to: 1 })).toThrow(/2 features, the network takes 3/);
  expect(() => predict(start.network, new Float32Array(4))).toThrow(/not rows of 3/);
  const labels = Uint8Array.of(0, 2);
  const strange = { rows: 2, dims: 3, labels, values: new Float32Array(6) };
  expect(() => trainEpochs(start, strange, { from: 0, to: 1 })).toThrow(/label 2 is not one of 2/);
  const empty = { rows: 0, dims: 3, labels: new Uint8Array(), values: new Float32Array() };
  expect(() => trainEpochs(start, empty, { from: 0, to: 1 })).toThrow('no rows');
});

test('two thousand real digits suffice for 96 % on a thousand others', () => {
  const digits = digitFeatures('train', 0, 2000);
  const others = digitFeatures('test', 0, 1000);
  const { network } = train({ ...base, learningRate: 0.01, epochs: 8, batchSize: 32 }, digits, 10);
  expect(accuracy(predict(network, dequantize(others.values)), others.labels, 10)).toBeGreaterThan(0.96);
});
