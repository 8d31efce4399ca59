/** Two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

/**
 * The range in which a true share plausibly lies, 95 %, when `hits` of `count` were seen; `[0, 1]` when nothing was.
 * Source: Wilson 1927, score interval.
 */
export function wilson(hits: number, count: number): [low: number, high: number] {
  if (count === 0) return [0, 1];
  const share = hits / count;
  const weight = 1 / (1 + Z ** 2 / count);
  const middle = weight * (share + Z ** 2 / (2 * count));
  const reach = weight * Z * Math.sqrt((share * (1 - share)) / count + Z ** 2 / (4 * count ** 2));
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}
