/** A named array of float32 with its shape. */
export type Tensor = { name: string; shape: number[]; values: Float32Array };

/** Bytes that are no safetensors file, or one this code does not read. */
export class TensorFileDefect extends Error {
  override readonly name = 'TensorFileDefect';
}

type Entry = { dtype: string; shape: number[]; data_offsets: [number, number] };

const MAX_HEADER_BYTES = 100_000_000;

/**
 * Writes tensors in the safetensors layout: header length (u64, little-endian), header (JSON, padded with spaces to a
 * multiple of 8), then the values. Any Python user can load the file with `safetensors.numpy.load_file`, and loading
 * runs no code. The same tensors and metadata always give the same bytes.
 *
 * Source: https://github.com/huggingface/safetensors, "Format".
 */
export function writeTensors(tensors: readonly Tensor[], metadata: Record<string, string>): Uint8Array {
  const sorted = [...tensors].sort((a, b) => (a.name < b.name ? -1 : 1));
  const header: Record<string, unknown> = { __metadata__: sortKeys(metadata) };
  let size = 0;
  for (const { name, shape, values } of sorted) {
    header[name] = { dtype: 'F32', shape, data_offsets: [size, size + values.byteLength] };
    size += values.byteLength;
  }
  const json = Buffer.from(JSON.stringify(header));
  const start = 8 + Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(start + size);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(start - 8), true);
  bytes.fill(0x20, 8, start);
  bytes.set(json, 8);
  let at = start;
  for (const { values } of sorted) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return bytes;
}

/** @throws TensorFileDefect for foreign or damaged bytes, or tensors other than F32 */
export function readTensors(bytes: Uint8Array): { tensors: Map<string, Tensor>; metadata: Record<string, string> } {
  const { header, start } = readHeader(bytes);
  const { __metadata__: metadata = {}, ...entries } = header as Record<string, Entry> & {
    __metadata__?: Record<string, string>;
  };
  const body = bytes.subarray(start);
  const tensors = new Map<string, Tensor>();
  let end = 0;
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(entries)) {
    if (dtype !== 'F32') throw new TensorFileDefect(`tensor ${name} is ${dtype}, only F32 is read`);
    const count = shape.reduce((product, side) => product * side, 1);
    if (offsets[1] - offsets[0] !== count * 4 || offsets[1] > body.length) {
      throw new TensorFileDefect(`tensor ${name} does not fit its place in the file`);
    }
    tensors.set(name, { name, shape, values: new Float32Array(copyOf(body.subarray(offsets[0], offsets[1])).buffer) });
    end = Math.max(end, offsets[1]);
  }
  if (end !== body.length) throw new TensorFileDefect(`${body.length} bytes of values, the header says ${end}`);
  return { tensors, metadata };
}

function readHeader(bytes: Uint8Array): { header: object; start: number } {
  if (bytes.length < 8) throw new TensorFileDefect(`not a safetensors file: only ${bytes.length} bytes`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true));
  const start = 8 + length;
  if (length > MAX_HEADER_BYTES || start > bytes.length) {
    throw new TensorFileDefect('not a safetensors file: the header is longer than the file');
  }
  try {
    const header: unknown = JSON.parse(Buffer.from(bytes.subarray(8, start)).toString('utf8'));
    if (typeof header === 'object' && header !== null) return { header, start };
  } catch {}
  throw new TensorFileDefect('not a safetensors file: the header is not JSON');
}

function sortKeys(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A copy with a buffer of its own. `slice` of a Node Buffer would be a view of a shared pool. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
