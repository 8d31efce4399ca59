/** Least validation accuracy of a first model: far above chance (0.1), far below what the features allow. */
export const FIRST_MODEL_THRESHOLD = 0.9;

export interface Challenger {
  readonly model_id: string;
  /** Accuracy on its own validation images. */
  readonly own: number;
}

export interface Incumbent {
  readonly model_id: string;
  /** The champion's accuracy on its validation images. */
  readonly accuracy: number;
  /** The challenger's accuracy on the same images: the split is by pixel hash, so it never trained on them. */
  readonly challenger: number;
}

export interface Verdict {
  readonly promote: boolean;
  readonly score: number;
  readonly threshold: number;
  readonly reason: string;
}

/**
 * Decides whether a challenger may serve. A first model must reach {@link FIRST_MODEL_THRESHOLD}; a later one must not
 * be worse than the champion on the champion's validation images. Held-out images play no part.
 */
export function gate(challenger: Challenger, incumbent: Incumbent | undefined): Verdict {
  if (!incumbent) {
    const promote = challenger.own >= FIRST_MODEL_THRESHOLD;
    const relation = promote ? 'reaches' : 'stays below';
    return {
      promote,
      score: challenger.own,
      threshold: FIRST_MODEL_THRESHOLD,
      reason: `first model: ${percent(challenger.own)} on its validation images ${relation} ${percent(FIRST_MODEL_THRESHOLD)}`,
    };
  }
  const { model_id, accuracy: threshold, challenger: score } = incumbent;
  const figures = `${percent(score)} against ${percent(threshold)}`;
  if (model_id === challenger.model_id) {
    return { promote: false, score, threshold, reason: `it is the champion ${model_id} itself: nothing changes` };
  }
  const promote = score >= threshold;
  const reason = promote
    ? `not worse than the champion ${model_id} on its validation images: ${figures}`
    : `worse than the champion ${model_id} on its validation images: ${figures}`;
  return { promote, score, threshold, reason };
}

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
