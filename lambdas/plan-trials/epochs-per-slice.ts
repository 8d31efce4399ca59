/** Multiplications a slice may cost: some seconds in a Lambda function, so a lost slice is soon done again. */
const SLICE_BUDGET = 5e8;

export interface Work {
  /** Units of the hidden layer; 0 for softmax regression. */
  readonly hidden: number;
  readonly epochs: number;
}

/**
 * Epochs between two checkpoints: as many as fit the budget, at least one, and never all of them, so that every trial
 * has a checkpoint to come back to.
 */
export function epochsPerSlice(
  { hidden, epochs }: Work,
  data: { readonly rows: number; readonly dims: number },
): number {
  const perEpoch = 3 * data.rows * data.dims * Math.max(hidden, 10);
  const fitting = Math.floor(SLICE_BUDGET / perEpoch);
  return Math.max(1, Math.min(fitting, Math.ceil(epochs / 2)));
}
