import { CLASSES, SIDE } from './defects';
import { encodePng } from './image';
import type { DefectCode } from './image-defect';
import { permutation, type Random, random } from './rng';
import type { RawSample } from './shard';

/** What `spoil` can do to a sample: a defect that inspection finds, or a wrong label, which only training data shows. */
export type Damage = Exclude<DefectCode, 'too-large'> | 'wrong-label';

/** How many samples to damage in which way; the rest stay as they are. */
export type Damages = Partial<Record<Damage, number>>;

/** All samples in their old order, and what was done to which key. */
export type Spoiled = { samples: RawSample[]; expected: Map<string, Damage> };

const IMPOSSIBLE_LABELS = ['17', 'cat', '-1', 'seven', '5.5'];

/**
 * Damages good samples in known ways, to see whether a pipeline notices. Each damaged sample has one damage. Duplicates
 * repeat a sample that comes before them and stays good. A wrong label is always the next digit (9 becomes 0): an error
 * with a system, as of an annotator who misread the instructions.
 *
 * @param samples good ones, with labels
 * @throws RangeError when more samples are to be damaged than there are
 */
export function spoil(samples: readonly RawSample[], damages: Damages, seed: number): Spoiled {
  const next = random(seed);
  const expected = assign(samples, damages, next);
  const good = samples.filter(({ key }) => !expected.has(key));
  const before = new Map(samples.map(({ key }, i) => [key, i]));
  const spoiled = samples.map((sample, i) => {
    const damage = expected.get(sample.key);
    if (!damage) return sample;
    if (damage !== 'duplicate') return DAMAGE[damage](sample, next);
    const earlier = good.filter(({ key }) => before.get(key)! < i);
    const original = earlier[Math.floor(next() * earlier.length)]!;
    return { ...original, key: sample.key };
  });
  return { samples: spoiled, expected };
}

function assign(samples: readonly RawSample[], damages: Damages, next: Random): Map<string, Damage> {
  const wanted = Object.entries(damages).flatMap(([damage, count]) => new Array<Damage>(count).fill(damage as Damage));
  if (wanted.length >= samples.length) {
    throw new RangeError(`cannot damage ${wanted.length} of ${samples.length} samples: one must stay good`);
  }
  const order = permutation(samples.length - 1, next);
  return new Map(wanted.map((damage, i) => [samples[order[i]! + 1]!.key, damage]));
}

const DAMAGE: Record<Exclude<Damage, 'duplicate'>, (sample: RawSample, next: Random) => RawSample> = {
  truncated: (sample, next) => ({ ...sample, png: sample.png.slice(0, cutAt(sample.png, next)) }),
  corrupt: (sample, next) => ({ ...sample, png: flipByte(sample.png, next) }),
  blank: (sample, next) => ({ ...sample, png: plain(SIDE, Math.floor(next() * 256)) }),
  'wrong-size': (sample) => ({ ...sample, png: plain(SIDE + 4, 0) }),
  'impossible-label': (sample, next) => ({
    ...sample,
    label: IMPOSSIBLE_LABELS[Math.floor(next() * IMPOSSIBLE_LABELS.length)],
  }),
  'missing-label': (sample) => ({ ...sample, label: undefined }),
  'wrong-label': (sample) => ({ ...sample, label: String((Number(sample.label) + 1) % CLASSES) }),
};

/** Somewhere between a third and nine tenths of the file. */
function cutAt(png: Uint8Array, next: Random): number {
  return Math.floor(png.length * (1 / 3 + next() * (0.9 - 1 / 3)));
}

/** Flips one byte of the pixel data, which lies between the header (41 bytes) and the closing chunk (16 with checksum). */
function flipByte(png: Uint8Array, next: Random): Uint8Array {
  const copy = png.slice();
  const at = 41 + Math.floor(next() * (png.length - 41 - 16));
  copy[at] = copy[at]! ^ 0xff;
  return copy;
}

function plain(side: number, grey: number): Uint8Array {
  return encodePng({ width: side, height: side, pixels: new Uint8Array(side * side).fill(grey) });
}
