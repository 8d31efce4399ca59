import type { BatchSummary } from '../../events/dataset/batch-summary';
import type { DatasetVersion } from '../../events/dataset/dataset-version';

export interface Pool {
  /** Every batch that passed the cleaning. */
  readonly accepted: readonly BatchSummary[];
  /** What the champion was trained on; undefined before there is one. */
  readonly served: DatasetVersion | undefined;
  /** The versions whose model was withheld. */
  readonly withheld: readonly DatasetVersion[];
  /** The batch this run is about. */
  readonly own: string;
}

/**
 * The batches a run trains on: this run's batch, the champion's batches, and every accepted batch not yet tried.
 * A batch that was new in a withheld version rests, so that one bad batch doesn't spoil all later models;
 * sent again, it is tried again.
 */
export function chooseBatches({ accepted, served, withheld, own }: Pool): readonly BatchSummary[] {
  const proven = new Set(served?.batches.map(({ id }) => id));
  const resting = new Set(withheld.flatMap(({ batches }) => batches.map(({ id }) => id)));
  return accepted.filter(({ id }) => id === own || proven.has(id) || !resting.has(id));
}
