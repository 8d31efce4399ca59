import { epochsPerSlice } from '../../lambdas/plan-trials/epochs-per-slice';

const data = { rows: 10_000, dims: 392 };

test('a quick trial is cut in two, so that it has a checkpoint to come back to', () => {
  expect(epochsPerSlice({ hidden: 0, epochs: 10 }, { rows: 100, dims: 392 })).toBe(5);
  expect(epochsPerSlice({ hidden: 0, epochs: 3 }, { rows: 100, dims: 392 })).toBe(2);
});

test('a slice costs no more than its budget', () => {
  expect(epochsPerSlice({ hidden: 0, epochs: 10 }, data)).toBe(4);
});

test('a hidden layer makes slices shorter, but never shorter than an epoch', () => {
  expect(epochsPerSlice({ hidden: 20, epochs: 10 }, data)).toBe(2);
  expect(epochsPerSlice({ hidden: 1000, epochs: 10 }, data)).toBe(1);
});

test('a trial of one epoch is one slice', () => {
  expect(epochsPerSlice({ hidden: 0, epochs: 1 }, { rows: 1, dims: 1 })).toBe(1);
});
