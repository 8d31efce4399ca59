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
 * sent again, it is tried again. What rests is its content, so that sending it again does not wake up the first.
 */
export function chooseBatches({ accepted, served, withheld, own }: Pool): readonly BatchSummary[] {
  const proven = contentOf(served ? [served] : []);
  const tried = contentOf(withheld);
  const rests = ({ packs }: BatchSummary) => {
    const unproven = packs.filter(({ sha256 }) => !proven.has(sha256));
    return unproven.length > 0 && unproven.every(({ sha256 }) => tried.has(sha256));
  };
  return accepted.filter((batch) => batch.id === own || !rests(batch));
}

const contentOf = (versions: readonly DatasetVersion[]): ReadonlySet<string> =>
  new Set(versions.flatMap(({ batches }) => batches.flatMap(({ packs }) => packs.map(({ sha256 }) => sha256))));
