/** How good a classifier is for one class. Ratios are 0 when their denominator is. */
export type ClassQuality = { label: number; count: number; precision: number; recall: number; f1: number };

/** Predictions whose confidence lies in (`from`, `to`]: their number, mean confidence, and share that was right. */
export type CalibrationBin = { from: number; to: number; count: number; confidence: number; accuracy: number };

/** One wrong prediction: the row, the true label, the predicted one, and the probability given to it. */
export type Mistake = { index: number; label: number; predicted: number; confidence: number };

export type Evaluation = {
  count: number;
  accuracy: number;
  perClass: ClassQuality[];
  /** `confusion[label][predicted]`: how many. */
  confusion: number[][];
  /** Expected calibration error, and the bins of the reliability diagram. */
  calibration: { ece: number; bins: CalibrationBin[] };
  /** Mean of -ln(probability given to the truth), in nats. */
  logLoss: number;
  /** The most confidently wrong first, at most 25. */
  worst: Mistake[];
};

const BINS = 15;
const WORST = 25;
const MIN_PROBABILITY = 1e-15;

type Verdict = { index: number; label: number; predicted: number; confidence: number; truth: number };

/**
 * Judges predictions against the truth.
 *
 * @param probabilities `labels.length * classes` values, row by row, as `predict` gives them
 * @param labels true class of each row
 * @throws RangeError when sizes do not fit, there is nothing to judge, or a label is no class
 */
export function evaluate(probabilities: Float32Array, labels: Uint8Array | number[], classes: number): Evaluation {
  const verdicts = judge(probabilities, labels, classes);
  const confusion = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  for (const { label, predicted } of verdicts) confusion[label]![predicted]! += 1;
  const wrong = verdicts.filter(({ label, predicted }) => label !== predicted);
  return {
    count: verdicts.length,
    accuracy: 1 - wrong.length / verdicts.length,
    perClass: confusion.map((_, label) => classQuality(confusion, label)),
    confusion,
    calibration: calibrate(verdicts),
    logLoss: mean(verdicts, ({ truth }) => -Math.log(Math.max(truth, MIN_PROBABILITY))),
    worst: wrong
      .sort((a, b) => b.confidence - a.confidence || a.index - b.index)
      .slice(0, WORST)
      .map(({ index, label, predicted, confidence }) => ({ index, label, predicted, confidence })),
  };
}

function judge(probabilities: Float32Array, labels: Uint8Array | number[], classes: number): Verdict[] {
  if (labels.length === 0) throw new RangeError('nothing to evaluate');
  if (probabilities.length !== labels.length * classes) {
    throw new RangeError(`${probabilities.length} probabilities are not ${labels.length} rows of ${classes}`);
  }
  return Array.from(labels, (label, index) => {
    if (!(label >= 0 && label < classes)) throw new RangeError(`label ${label} is not one of ${classes} classes`);
    const row = probabilities.subarray(index * classes, (index + 1) * classes);
    const confidence = Math.max(...row);
    return { index, label, predicted: row.indexOf(confidence), confidence, truth: row[label]! };
  });
}

function classQuality(confusion: number[][], label: number): ClassQuality {
  const right = confusion[label]![label]!;
  const count = confusion[label]!.reduce((sum, n) => sum + n, 0);
  const claimed = confusion.reduce((sum, row) => sum + row[label]!, 0);
  const precision = ratio(right, claimed);
  const recall = ratio(right, count);
  return { label, count, precision, recall, f1: ratio(2 * precision * recall, precision + recall) };
}

/**
 * Expected calibration error with 15 bins of equal width: the mean gap between confidence and accuracy, weighted by count.
 * Source: Guo, Pleiss, Sun, Weinberger 2017, section 2.
 */
function calibrate(verdicts: readonly Verdict[]): Evaluation['calibration'] {
  const bins = Array.from({ length: BINS }, (_, i) => {
    const inBin = verdicts.filter(({ confidence }) => binOf(confidence) === i);
    return {
      from: i / BINS,
      to: (i + 1) / BINS,
      count: inBin.length,
      confidence: mean(inBin, ({ confidence }) => confidence),
      accuracy: mean(inBin, ({ label, predicted }) => (label === predicted ? 1 : 0)),
    };
  });
  const gaps = bins.map(({ count, confidence, accuracy }) => count * Math.abs(confidence - accuracy));
  return { ece: gaps.reduce((sum, gap) => sum + gap, 0) / verdicts.length, bins };
}

function binOf(confidence: number): number {
  return Math.min(BINS - 1, Math.max(0, Math.ceil(confidence * BINS) - 1));
}

function mean<T>(items: readonly T[], of: (item: T) => number): number {
  return items.length === 0 ? 0 : items.reduce((sum, item) => sum + of(item), 0) / items.length;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
