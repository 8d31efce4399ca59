/** One clean picture with its label and the hash of its pixels; `pixels` are 8-bit grey, row by row. */
export type PackedImage = { key: string; label: number; hash: string; pixels: Uint8Array };

/**
 * Features of many pictures: `rows` x `dims` values, row by row.
 * Bytes stand for value / 255 (see `quantize`), floats for themselves.
 */
export type FeatureSet = {
  rows: number;
  dims: number;
  labels: Uint8Array;
  hashes: string[];
  keys: string[];
  values: Uint8Array | Float32Array;
};

/** Bytes that are not the block they were taken for. */
export class PackDefect extends Error {
  override readonly name = 'PackDefect';
}

type Kind = 'images' | 'features';
type ImageIndex = { keys: string[]; labels: number[]; hashes: string[]; sizes: number[] };
type FeatureIndex = {
  rows: number;
  dims: number;
  type: 'u8' | 'f32';
  keys: string[];
  labels: number[];
  hashes: string[];
};

const MAGIC = 'HRPK';
const VERSION = 1;
const PREFIX = 16;
const KINDS: Record<Kind, number> = { images: 1, features: 2 };

/**
 * Packs clean pictures into one block that later stages read without decoding anything.
 *
 * Layout, little-endian: `HRPK`, version (u16), kind (u16), index length (u32), zero (u32), index (JSON, padded with
 * spaces to a multiple of 8), body. The same items always give the same bytes.
 */
export function packImages(items: readonly PackedImage[]): Uint8Array {
  const index: ImageIndex = {
    keys: items.map((item) => item.key),
    labels: items.map((item) => item.label),
    hashes: items.map((item) => item.hash),
    sizes: items.map((item) => item.pixels.length),
  };
  return frame(
    'images',
    index,
    items.map((item) => item.pixels),
  );
}

/** @throws PackDefect for bytes that `packImages` did not write */
export function unpackImages(bytes: Uint8Array): PackedImage[] {
  const { index, body } = unframe<ImageIndex>('images', bytes);
  const total = index.sizes.reduce((sum, size) => sum + size, 0);
  assertBody(body, total);
  let at = 0;
  return index.sizes.map((size, i) => {
    const pixels = new Uint8Array(body.subarray(at, at + size));
    at += size;
    return { key: index.keys[i]!, label: index.labels[i]!, hash: index.hashes[i]!, pixels };
  });
}

/** Packs features in the layout of `packImages`; bytes stay bytes, floats stay floats. */
export function packFeatures(features: FeatureSet): Uint8Array {
  const { rows, dims, values } = features;
  if (values.length !== rows * dims) throw new PackDefect(`${values.length} values are not ${rows} rows of ${dims}`);
  const index: FeatureIndex = {
    rows,
    dims,
    type: values instanceof Uint8Array ? 'u8' : 'f32',
    keys: features.keys,
    labels: Array.from(features.labels),
    hashes: features.hashes,
  };
  return frame('features', index, [new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]);
}

/** @throws PackDefect for bytes that `packFeatures` did not write */
export function unpackFeatures(bytes: Uint8Array): FeatureSet {
  const { index, body } = unframe<FeatureIndex>('features', bytes);
  const { rows, dims, type, keys, hashes } = index;
  assertBody(body, rows * dims * (type === 'u8' ? 1 : 4));
  // Not `slice`: that of a Node Buffer would be a view of a shared pool.
  const values = new Uint8Array(body);
  return {
    rows,
    dims,
    labels: Uint8Array.from(index.labels),
    hashes,
    keys,
    values: type === 'u8' ? values : new Float32Array(values.buffer),
  };
}

/** Puts blocks of features one after the other, e.g. those of all shards before training. All need equal `dims`. */
export function concatFeatures(parts: readonly FeatureSet[]): FeatureSet {
  const dims = parts[0]?.dims ?? 0;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const bytes = parts.every((part) => part.values instanceof Uint8Array);
  const labels = new Uint8Array(rows);
  const values = bytes ? new Uint8Array(rows * dims) : new Float32Array(rows * dims);
  let at = 0;
  for (const part of parts) {
    if (part.dims !== dims) throw new PackDefect(`features of ${part.dims} dimensions do not go with ${dims}`);
    labels.set(part.labels, at);
    values.set(bytes ? part.values : dequantize(part.values), at * dims);
    at += part.rows;
  }
  return {
    rows,
    dims,
    labels,
    values,
    hashes: parts.flatMap((part) => part.hashes),
    keys: parts.flatMap((part) => part.keys),
  };
}

/** The rows whose number passes `keep`, in order: e.g. the training or the validation part. */
export function selectFeatures(features: FeatureSet, keep: (row: number) => boolean): FeatureSet {
  const rows = Array.from({ length: features.rows }, (_, row) => row).filter(keep);
  return pickFeatures(features, rows);
}

/** These rows, in this order. */
export function pickFeatures(features: FeatureSet, rows: readonly number[]): FeatureSet {
  const { dims, values } = features;
  const picked =
    values instanceof Uint8Array ? new Uint8Array(rows.length * dims) : new Float32Array(rows.length * dims);
  rows.forEach((row, i) => {
    picked.set(values.subarray(row * dims, (row + 1) * dims), i * dims);
  });
  return {
    rows: rows.length,
    dims,
    labels: Uint8Array.from(rows, (row) => features.labels[row]!),
    hashes: rows.map((row) => features.hashes[row]!),
    keys: rows.map((row) => features.keys[row]!),
    values: picked,
  };
}

/** Values in 0..1 as bytes, a quarter of the size; off by at most 1/510. */
export function quantize(values: Float32Array): Uint8Array {
  const bytes = new Uint8ClampedArray(values.length);
  for (let i = 0; i < values.length; i++) bytes[i] = values[i]! * 255;
  return new Uint8Array(bytes.buffer);
}

/** The opposite of `quantize`; floats pass unchanged. */
export function dequantize(values: Uint8Array | Float32Array): Float32Array {
  if (values instanceof Float32Array) return values;
  const floats = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) floats[i] = values[i]! / 255;
  return floats;
}

function frame(kind: Kind, index: object, parts: readonly Uint8Array[]): Uint8Array {
  const json = Buffer.from(JSON.stringify(index));
  const indexBytes = Math.ceil(json.length / 8) * 8;
  const bodyBytes = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(PREFIX + indexBytes + bodyBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from(MAGIC));
  view.setUint16(4, VERSION, true);
  view.setUint16(6, KINDS[kind], true);
  view.setUint32(8, indexBytes, true);
  bytes.fill(0x20, PREFIX, PREFIX + indexBytes);
  bytes.set(json, PREFIX);
  let at = PREFIX + indexBytes;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function unframe<Index>(kind: Kind, bytes: Uint8Array): { index: Index; body: Uint8Array } {
  if (bytes.length < PREFIX || Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== MAGIC) {
    throw new PackDefect(`not a Headrace block: expected it to begin with ${MAGIC}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint16(4, true);
  if (version !== VERSION) throw new PackDefect(`block of version ${version}, this code reads version ${VERSION}`);
  if (view.getUint16(6, true) !== KINDS[kind]) throw new PackDefect(`a block, but not of ${kind}`);
  const bodyAt = PREFIX + view.getUint32(8, true);
  if (bodyAt > bytes.length) throw new PackDefect('block ends inside its index');
  try {
    const index = JSON.parse(Buffer.from(bytes.subarray(PREFIX, bodyAt)).toString('utf8')) as Index;
    return { index, body: bytes.subarray(bodyAt) };
  } catch {
    throw new PackDefect('block has an unreadable index');
  }
}

function assertBody(body: Uint8Array, expected: number): void {
  if (body.length !== expected)
    throw new PackDefect(`block holds ${body.length} bytes of data, its index says ${expected}`);
}
