import { type DefectCode, ImageDefect } from '../../vision/defects';
import { extractFeatures, FEATURE_DIMS } from '../../vision/features';
import { encodePng, type Image } from '../../vision/image';
import { readMnist } from '../../vision/mnist';
import type { TrainingData } from '../../vision/network';
import { quantize } from '../../vision/pack';
import type { RawSample } from '../../vision/shard';

/** Real digits as they arrive: PNG and label. */
export function digits(from: number, to: number, split: 'train' | 'test' = 'train'): RawSample[] {
  return readMnist(split, from, to).map(({ image, label }, i) => ({
    key: `digit-${from + i}`,
    png: encodePng(image),
    label: String(label),
  }));
}

/** Features of real digits. */
export function digitFeatures(
  split: 'train' | 'test',
  from: number,
  to: number,
): TrainingData & { values: Uint8Array } {
  const digits = readMnist(split, from, to);
  const values = new Uint8Array(digits.length * FEATURE_DIMS);
  digits.forEach(({ image }, row) => {
    values.set(quantize(extractFeatures(image)), row * FEATURE_DIMS);
  });
  return { rows: digits.length, dims: FEATURE_DIMS, labels: Uint8Array.from(digits, ({ label }) => label), values };
}

/** A picture from a rule. */
export function draw(grey: (x: number, y: number) => number, side = 28): Image {
  const pixels = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) pixels[y * side + x] = grey(x, y);
  return { width: side, height: side, pixels };
}

/** The code with which work refuses, or undefined when it does not. */
export function refusal(work: () => unknown): DefectCode | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ImageDefect) return error.code;
    throw error;
  }
}
