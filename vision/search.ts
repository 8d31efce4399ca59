import type { Hyperparameters } from './network';

/** Up to this many training images the search is kept to seconds. */
const SMALL = 20_000;

/** The seed is fixed, so that a search can be repeated to the bit. */
const SEED = 1;

/**
 * The hyperparameters worth trying for a training set of this size, best guess first.
 * Up to 20,000 images three softmax regressions, under a second each; above, one softmax regression as the yardstick and
 * two networks with a hidden layer, a minute at most for 60,000.
 */
export function candidates(trainImages: number): Hyperparameters[] {
  return trainImages <= SMALL ? quick() : thorough();
}

function quick(): Hyperparameters[] {
  const shared = { hidden: 0, batchSize: 32, epochs: 8, seed: SEED };
  return [
    { ...shared, learningRate: 0.01, weightDecay: 0.01 },
    { ...shared, learningRate: 0.005, weightDecay: 0.01 },
    { ...shared, learningRate: 0.01, weightDecay: 0.1 },
  ];
}

function thorough(): Hyperparameters[] {
  const shared = { batchSize: 128, epochs: 8, seed: SEED };
  return [
    { ...shared, hidden: 64, learningRate: 0.006, weightDecay: 0.01 },
    { ...shared, hidden: 96, learningRate: 0.006, weightDecay: 0.1 },
    { ...shared, hidden: 0, learningRate: 0.01, weightDecay: 0.01 },
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
