/** 32 bits of a text: FNV-1a, then mixed so that near texts come out far apart. */
export function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Everything a run draws, each draw under a name of its own: what happens to one call does not depend on what was drawn
 * for others, so that a run without one of its faults is otherwise the same as far as it can be.
 */
export class Dice {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = hashOf('headrace', seed | 0);
  }

  /** In [0, 1). */
  roll(name: string): number {
    return hashOf(name, this.#seed) / 2 ** 32;
  }

  /** A whole number in [from, to]. */
  between(name: string, from: number, to: number): number {
    return from + Math.floor(this.roll(name) * (to - from + 1));
  }

  /** 32 hex digits. */
  id(name: string): string {
    const part = (i: number) => hashOf(`${i}${name}`, this.#seed).toString(16).padStart(8, '0');
    return part(0) + part(1) + part(2) + part(3);
  }

  /** A stream of numbers in [0, 1) (mulberry32). */
  stream(name: string): () => number {
    let state = hashOf(name, this.#seed);
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }
}
