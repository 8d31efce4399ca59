import type { Image } from './image';
import { decodePng, pixelHash } from './image';
import { type DefectCode, ImageDefect } from './image-defect';
import type { RawSample } from './shard';

export { type DefectCode, ImageDefect };

/** Every usable picture is this many pixels wide and high. */
export const SIDE = 28;

/** The classes: the ten digits. */
export const CLASSES = 10;

/** Pictures whose grey values deviate less than this (standard deviation, of 255) show nothing. */
export const BLANK_DEVIATION = 4;

/** What is wrong with one sample; `key` says which. */
export type Defect = { key: string; code: DefectCode; detail: string };

/** A sample fit to learn from: 28x28 grey, a label in 0..9, the hash of its pixels. */
export type CleanSample = { key: string; image: Image; label: number; hash: string };

/** True when `inspect` or a duplicate check refused the sample. */
export function isDefect(result: CleanSample | Defect): result is Defect {
  return 'code' in result;
}

/**
 * Judges one sample on its own: picture first, then label.
 * Duplicates need sight of the other samples: see `inspectAll`.
 */
export function inspect(sample: RawSample): CleanSample | Defect {
  const { key } = sample;
  try {
    if (sample.defect) throw new ImageDefect(sample.defect, 'refused while reading the shard');
    const image = decodePng(sample.png);
    assertDigitSize(image);
    assertNotBlank(image);
    return { key, image, label: digitOf(sample.label), hash: pixelHash(image) };
  } catch (error) {
    if (error instanceof ImageDefect) return { key, code: error.code, detail: error.message };
    throw error;
  }
}

/**
 * Judges samples in order and calls every repeat of an already accepted picture a duplicate.
 * @param seen hashes accepted before; extended in place
 */
export function inspectAll(
  samples: Iterable<RawSample>,
  seen = new Set<string>(),
): { clean: CleanSample[]; defects: Defect[] } {
  const clean: CleanSample[] = [];
  const defects: Defect[] = [];
  for (const sample of samples) {
    const result = inspect(sample);
    if (isDefect(result)) defects.push(result);
    else if (seen.has(result.hash))
      defects.push({ key: result.key, code: 'duplicate', detail: `same pixels as ${result.hash.slice(0, 12)}` });
    else {
      seen.add(result.hash);
      clean.push(result);
    }
  }
  return { clean, defects };
}

function assertDigitSize({ width, height }: Image): void {
  if (width !== SIDE || height !== SIDE)
    throw new ImageDefect('wrong-size', `${width}x${height}, expected ${SIDE}x${SIDE}`);
}

function assertNotBlank({ pixels }: Image): void {
  let sum = 0;
  let squares = 0;
  for (const pixel of pixels) {
    sum += pixel;
    squares += pixel * pixel;
  }
  const mean = sum / pixels.length;
  const deviation = Math.sqrt(Math.max(0, squares / pixels.length - mean * mean));
  if (deviation < BLANK_DEVIATION)
    throw new ImageDefect('blank', `grey values deviate by ${deviation.toFixed(2)} of 255`);
}

function digitOf(label: string | undefined): number {
  const text = label?.trim();
  if (!text) throw new ImageDefect('missing-label', 'no label');
  if (!/^[0-9]$/.test(text))
    throw new ImageDefect('impossible-label', `label ${JSON.stringify(text.slice(0, 40))} is not a digit`);
  return Number(text);
}
