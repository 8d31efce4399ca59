// Bound once: looked up on the global object it is slow inside a vm context, such as Jest's.
const { imul } = Math;

/** A stream of uniform numbers in [0, 1). */
export type Random = () => number;

/**
 * A generator wholly determined by its seeds: the same seeds give the same stream on every machine.
 * Streams are derived, never carried: `random(seed, epoch)` can be rebuilt in any process at any time,
 * which is what lets a training run be cut into slices without changing its result.
 *
 * Algorithm: mulberry32 over seeds mixed with the finalizer of MurmurHash3 (Appleby). Not for secrets.
 *
 * @param seeds integers; order matters
 */
export function random(...seeds: number[]): Random {
  let state = 0x9e3779b9;
  for (const seed of seeds) state = mix(state ^ mix(seed | 0)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = imul(state ^ (state >>> 15), 1 | state);
    t = (t + imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The numbers 0..count-1 in random order (Fisher and Yates). */
export function permutation(count: number, next: Random): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const j = Math.floor(next() * (i + 1));
    order[i] = order[j]!;
    order[j] = i;
  }
  return order;
}

/** A normally distributed number, mean 0, deviation 1 (Box and Muller). */
export function gaussian(next: Random): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

function mix(value: number): number {
  let h = value + 0x7ed55d16;
  h = imul(h ^ (h >>> 16), 0x85ebca6b);
  h = imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
