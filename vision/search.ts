import type { Hyperparameters } from './network';

/** Up to this many training images the search is kept to seconds. */
const SMALL = 20_000;

/** What all candidates of a size share; the seed is fixed so that a search can be repeated to the bit. */
const QUICK = { hidden: 0, batchSize: 64, epochs: 10, seed: 1 };
const THOROUGH = { batchSize: 64, epochs: 14, seed: 1 };

/**
 * The hyperparameters worth trying for a training set of this size, best guess first.
 * Up to 20,000 images: three softmax regressions, a second each. Above: also hidden layers.
 */
export function candidates(trainImages: number): Hyperparameters[] {
  if (trainImages <= SMALL) {
    return [
      { ...QUICK, learningRate: 0.005, weightDecay: 0.01 },
      { ...QUICK, learningRate: 0.01, weightDecay: 0.01 },
      { ...QUICK, learningRate: 0.005, weightDecay: 0.1 },
    ];
  }
  return [
    { ...THOROUGH, hidden: 0, learningRate: 0.003, weightDecay: 0.01 },
    { ...THOROUGH, hidden: 64, learningRate: 0.002, weightDecay: 0.1 },
    { ...THOROUGH, hidden: 128, learningRate: 0.002, weightDecay: 0.1 },
  ];
}

/**
 * Whether a training image belongs to the tenth held out to choose between candidates. Decided by the picture alone,
 * so an image keeps its side however data is split into shards, and copies of it never lie on both.
 *
 * @param hash the image's `pixelHash`
 */
export function isValidation(hash: string): boolean {
  return Number.parseInt(hash.slice(0, 8), 16) % 10 === 0;
}
