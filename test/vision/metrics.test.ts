import * as fc from 'fast-check';
import { evaluate } from '../../vision/metrics';

/** Six pictures of three classes: the fourth and the sixth are read wrongly. */
const labels = Uint8Array.of(0, 0, 1, 1, 2, 2);
const probabilities = Float32Array.of(
  ...[0.9, 0.1, 0.0],
  ...[0.6, 0.3, 0.1],
  ...[0.0, 1.0, 0.0],
  ...[0.7, 0.2, 0.1],
  ...[0.0, 0.2, 0.8],
  ...[0.5, 0.1, 0.4],
);
const evaluation = evaluate(probabilities, labels, 3);

test('accuracy is the share that was right', () => {
  expect(evaluation.count).toBe(6);
  expect(evaluation.accuracy).toBeCloseTo(4 / 6, 10);
});

test('the confusion matrix counts predictions, a row for each true class', () => {
  expect(evaluation.confusion).toEqual([
    [2, 0, 0],
    [1, 1, 0],
    [1, 0, 1],
  ]);
});

test('precision, recall and F1 are those of the textbook', () => {
  expect(evaluation.perClass).toEqual([
    { label: 0, count: 2, precision: 0.5, recall: 1, f1: 2 / 3 },
    { label: 1, count: 2, precision: 1, recall: 0.5, f1: 2 / 3 },
    { label: 2, count: 2, precision: 1, recall: 0.5, f1: 2 / 3 },
  ]);
});

test('a class that never occurs and is never predicted scores 0, not NaN', () => {
  const [, absent] = evaluate(Float32Array.of(1, 0), Uint8Array.of(0), 2).perClass;
  expect(absent).toEqual({ label: 1, count: 0, precision: 0, recall: 0, f1: 0 });
});

test('log loss is the mean surprise at the truth', () => {
  const truth = [0.9, 0.6, 1, 0.2, 0.8, 0.4];
  expect(evaluation.logLoss).toBeCloseTo(truth.reduce((sum, p) => sum - Math.log(p), 0) / 6, 6);
});

test('a truth given probability 0 costs much, but not infinitely much', () => {
  const { logLoss } = evaluate(Float32Array.of(1, 0), Uint8Array.of(1), 2);
  expect(logLoss).toBeGreaterThan(30);
  expect(logLoss).toBeLessThan(40);
});

test('calibration error is the mean gap between confidence and accuracy, weighted by count', () => {
  const { ece, bins } = evaluate(
    Float32Array.of(0.95, 0.05, 0.95, 0.05, 0.55, 0.45),
    Uint8Array.of(0, 1, 0),
    2,
  ).calibration;
  expect(ece).toBeCloseTo((2 * (0.95 - 0.5) + 1 * (1 - 0.55)) / 3, 6);
  expect(bins).toHaveLength(15);
  expect(bins.at(-1)).toMatchObject({ from: 14 / 15, to: 1, count: 2, accuracy: 0.5 });
  expect(bins.at(-1)!.confidence).toBeCloseTo(0.95, 6);
});

test('full confidence belongs to the last bin', () => {
  const { bins } = evaluate(Float32Array.of(1, 0, 0, 0), Uint8Array.of(0), 4).calibration;
  expect(bins.at(-1)!.count).toBe(1);
});

test('the worst mistakes come first, at most 25', () => {
  expect(evaluation.worst).toEqual([
    { index: 3, label: 1, predicted: 0, confidence: Math.fround(0.7) },
    { index: 5, label: 2, predicted: 0, confidence: 0.5 },
  ]);
  const wrong = Float32Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? 0.4 : 0.6));
  expect(evaluate(wrong, new Uint8Array(30), 2).worst.map(({ index }) => index)).toEqual([...Array(25).keys()]);
});

test('for any predictions, numbers agree with each other', () => {
  const row = fc.tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 4, maxLength: 4 }),
  );
  void fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
      const shares = rows.flatMap(([, odds]) => odds.map((n) => n / odds.reduce((sum, m) => sum + m, 0)));
      const result = evaluate(
        Float32Array.from(shares),
        rows.map(([label]) => label),
        4,
      );
      const diagonal = result.confusion.reduce((sum, line, i) => sum + line[i]!, 0);
      expect(result.confusion.flat().reduce((sum, n) => sum + n, 0)).toBe(rows.length);
      expect(result.accuracy).toBeCloseTo(diagonal / rows.length, 10);
      expect(result.calibration.bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(rows.length);
      expect(result.calibration.ece).toBeLessThanOrEqual(1);
      expect(result.worst).toHaveLength(Math.min(25, rows.length - diagonal));
    }),
  );
});

test.each<[string, Float32Array, Uint8Array]>([
  ['there is nothing to judge', new Float32Array(), new Uint8Array()],
  ['there are too few probabilities', new Float32Array(5), Uint8Array.of(0, 1)],
  ['a label is no class', new Float32Array(3), Uint8Array.of(3)],
])('fails when %s', (_, shares, truth) => {
  expect(() => evaluate(shares, truth, 3)).toThrow(RangeError);
});
