import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from 'headrace/target';
import { encodePng } from '../vision/image';
import { readMnist } from '../vision/mnist';
import { type RawSample, writeShard } from '../vision/shard';

/** Images of one shard. */
const SHARD_IMAGES = 1000;

export interface Shard {
  readonly bytes: Uint8Array;
  readonly images: number;
}

/** Handwritten digits `from`..`to` (exclusive) of MNIST as PNG files with their label. */
export function digits(split: 'train' | 'test', from: number, to: number): RawSample[] {
  return readMnist(split, from, to).map(({ image, label }, i) => ({
    key: `${split}-${String(from + i).padStart(5, '0')}`,
    png: encodePng(image),
    label: String(label),
  }));
}

/** Samples as WebDataset shards. */
export async function shardsOf(samples: readonly RawSample[], size: number = SHARD_IMAGES): Promise<Shard[]> {
  const shards: Shard[] = [];
  for (let i = 0; i < samples.length; i += size) {
    const some = samples.slice(i, i + size);
    shards.push({ bytes: await writeShard(some), images: some.length });
  }
  return shards;
}

/** The same as WebDataset shards; written once into the project's cache folder. */
export async function digitShards(project: string, split: 'train' | 'test', count: number): Promise<Shard[]> {
  const shards: Shard[] = [];
  for (let from = 0; from < count; from += SHARD_IMAGES) {
    const to = Math.min(from + SHARD_IMAGES, count);
    const file = join(cacheFolder(project), 'mnist', `${split}-${from}-${to}.tar`);
    const bytes = existsSync(file)
      ? await readFile(file)
      : await writeOnce(file, await writeShard(digits(split, from, to)));
    shards.push({ bytes, images: to - from });
  }
  return shards;
}

async function writeOnce(file: string, bytes: Uint8Array): Promise<Uint8Array> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, bytes);
  await rename(`${file}.part`, file);
  return bytes;
}
