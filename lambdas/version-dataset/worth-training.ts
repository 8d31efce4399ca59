import type { BatchSummary } from '../../events/dataset/batch-summary';
import type { DatasetVersion } from '../../events/dataset/dataset-version';

/** Fewest images a first model is trained on. */
export const FEWEST_IMAGES = 500;

/** Fewest new images that are worth a training run when they trickle in one by one. */
export const FEWEST_NEW_SINGLES = 100;

export interface Situation {
  readonly version: DatasetVersion;
  /** The version the champion was trained on, if there is a champion. */
  readonly served: DatasetVersion | undefined;
  readonly purpose: BatchSummary['purpose'];
}

/** Whether a run should go on to train, and why. A batch or a correction always counts; single images add up first. */
export function worthTraining({ version, served, purpose }: Situation): { worth: boolean; reason: string } {
  const images = count(version);
  if (images < FEWEST_IMAGES) {
    return { worth: false, reason: `${images} images so far; training starts at ${FEWEST_IMAGES}` };
  }
  if (purpose !== 'single') return { worth: true, reason: `a ${purpose} batch makes ${images} images` };
  const fresh = images - (served ? count(served) : 0);
  const worth = fresh >= FEWEST_NEW_SINGLES;
  return { worth, reason: `${fresh} new images since the champion; training starts again at ${FEWEST_NEW_SINGLES}` };
}

const count = ({ batches }: DatasetVersion): number =>
  batches.reduce((sum, { packs }) => sum + packs.reduce((images, pack) => images + pack.images, 0), 0);
