import { encodePng, pixelHash } from '../../vision/image';
import { readMnist } from '../../vision/mnist';
import type { PackedImage } from '../../vision/pack';
import type { RawSample } from '../../vision/shard';

/** Real handwritten digits as they stand in a shard. */
export function digitSamples(count: number, from = 0): RawSample[] {
  return readMnist('train', from, from + count).map(({ image, label }, i) => ({
    key: String(from + i).padStart(6, '0'),
    png: encodePng(image),
    label: String(label),
  }));
}

/** The same digits as cleaning packs them. */
export function packedDigits(count: number, from = 0): PackedImage[] {
  return readMnist('train', from, from + count).map(({ image, label }, i) => ({
    key: String(from + i).padStart(6, '0'),
    label,
    hash: pixelHash(image),
    pixels: image.pixels,
  }));
}
