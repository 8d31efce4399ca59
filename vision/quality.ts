import type { DefectCode } from './image-defect';

/** A dataset at or above this score may be trained on. At 0.9 one sample in ten may be unusable if classes are even. */
export const THRESHOLD = 0.9;

export type QualityInput = {
  /** Samples that arrived. */
  total: number;
  /** Samples that passed inspection. */
  accepted: number;
  /** How many samples were refused, by reason. */
  defects: Partial<Record<DefectCode, number>>;
  /** How many accepted samples each class has, by label. */
  perClass: readonly number[];
};

/** `score` in 0..1: `usable` times `balance`; `reasons` say in words what cost the most, worst first. */
export type Quality = { score: number; usable: number; balance: number; reasons: string[] };

/**
 * How fit a dataset is for training: the share of usable samples times the evenness of classes.
 *
 * Evenness is the entropy of the class distribution over its maximum (Shannon; Pielou 1966): 1 when all classes are
 * equally frequent, 0.98 when some are twice as frequent as others, 0 when there is only one. An empty dataset scores 0.
 *
 * @throws RangeError for counts that contradict each other
 */
export function qualityScore({ total, accepted, defects, perClass }: QualityInput): Quality {
  const refused = Object.values(defects).reduce((sum, count) => sum + count, 0);
  if (accepted < 0 || accepted > total) throw new RangeError(`accepted ${accepted} of ${total}`);
  if (accepted + refused !== total)
    throw new RangeError(`accepted ${accepted} and refused ${refused} are not ${total}`);
  const usable = total === 0 ? 0 : accepted / total;
  const balance = evenness(perClass);
  return {
    score: usable * balance,
    usable,
    balance,
    reasons: [...defectReasons(defects, total), ...balanceReasons(perClass)],
  };
}

function evenness(perClass: readonly number[]): number {
  const sum = perClass.reduce((total, count) => total + count, 0);
  if (sum === 0 || perClass.length < 2) return 0;
  let entropy = 0;
  for (const count of perClass) if (count > 0) entropy -= (count / sum) * Math.log(count / sum);
  return Number((entropy / Math.log(perClass.length)).toFixed(12));
}

function defectReasons(defects: QualityInput['defects'], total: number): string[] {
  return Object.entries(defects)
    .filter(([, count]) => count > 0)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([code, count]) => `${count} of ${total} samples ${code} (${percent(count / total)})`);
}

function balanceReasons(perClass: readonly number[]): string[] {
  const missing = perClass.flatMap((count, label) => (count === 0 ? [label] : []));
  if (missing.length > 0) return [`no samples of class ${missing.join(', ')}`];
  const least = Math.min(...perClass);
  const most = Math.max(...perClass);
  if (most < 2 * least) return [];
  return [`class ${perClass.indexOf(most)} has ${most} samples, class ${perClass.indexOf(least)} only ${least}`];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
