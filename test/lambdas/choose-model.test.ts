import type { TrialResult } from '../../events/model/trial';
import { bestOf } from '../../lambdas/choose-model/choose-model';

const result = (trial: number, validation_accuracy: number): TrialResult => ({
  trial,
  hyperparameters: { hidden: 0, learningRate: 0.01, weightDecay: 0, epochs: 2, batchSize: 64, seed: 1 },
  validation_accuracy,
  train_images: 900,
  learning_curve: [],
  model: { uri: 's3://runs/m', sha256: '0'.repeat(64), bytes: 1 },
});

test('the trial with the highest validation accuracy is the best', () => {
  expect(bestOf([result(0, 0.9), result(1, 0.95), result(2, 0.94)]).trial).toBe(1);
});

test('among equals it is the first, so that a repeated run chooses the same', () => {
  expect(bestOf([result(0, 0.9), result(1, 0.95), result(2, 0.95)]).trial).toBe(1);
});
