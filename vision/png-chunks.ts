import { crc32, inflateSync } from 'node:zlib';
import { ImageDefect } from './image-defect';

/** Pictures wider or higher than this are refused before a single pixel is decompressed. */
export const MAX_SIDE = 1024;

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

type Chunk = { type: string; start: number; end: number; data: Uint8Array };

/** What a PNG's header says, and what its pixel data is once decompressed (lines still filtered). */
export type VettedPng = { bytes: Uint8Array; header: PngHeader; lines: Uint8Array };
export type PngHeader = {
  width: number;
  height: number;
  depth: number;
  channels: number;
  palette: boolean;
  interlaced: boolean;
};

/**
 * Proves a PNG safe to decode and returns it stripped of all chunks that do not matter: every chunk whole, every checksum
 * right, dimensions modest, and the pixel data of exactly the size the header promises, so that no decompression
 * bomb (in pixels, colour profile or text) reaches the decoder.
 *
 * @throws ImageDefect `truncated`, `corrupt` or `too-large`
 */
export function vetPng(bytes: Uint8Array): VettedPng {
  const chunks = readChunks(bytes);
  const header = readHeader(chunks[0]);
  const lines = inflateLines(chunks, header);
  return { header, lines, bytes: chunks.every((chunk) => NEEDED.has(chunk.type)) ? bytes : strip(bytes, chunks) };
}

function readChunks(bytes: Uint8Array): Chunk[] {
  vetSignature(bytes);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; ; at = chunks.at(-1)!.end) {
    const chunk = readChunk(bytes, at);
    chunks.push(chunk);
    if (chunk.type === 'IEND') return chunks;
  }
}

function readChunk(bytes: Uint8Array, start: number): Chunk {
  if (start + 12 > bytes.length) {
    throw new ImageDefect('truncated', `ends at byte ${bytes.length}, before the last chunk`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = start + 12 + view.getUint32(start);
  const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
  if (!/^[A-Za-z]{4}$/.test(type)) throw new ImageDefect('corrupt', `no chunk at byte ${start}`);
  if (start === SIGNATURE.length) vetDimensions(type, view, start);
  if (end > bytes.length) throw new ImageDefect('truncated', `ends at byte ${bytes.length}, inside chunk ${type}`);
  if (crc32(bytes.subarray(start + 4, end - 4)) !== view.getUint32(end - 4)) {
    throw new ImageDefect('corrupt', `checksum of chunk ${type} does not match`);
  }
  return { type, start, end, data: bytes.subarray(start + 8, end - 4) };
}

function vetSignature(bytes: Uint8Array): void {
  const have = Math.min(bytes.length, SIGNATURE.length);
  for (let i = 0; i < have; i++) {
    if (bytes[i] !== SIGNATURE[i]) throw new ImageDefect('corrupt', 'not a PNG');
  }
  if (have < SIGNATURE.length) throw new ImageDefect('truncated', `only ${bytes.length} bytes`);
}

/** Reads the size from the fixed place of the first chunk, before anything else is believed. */
function vetDimensions(type: string, view: DataView, at: number): void {
  if (type !== 'IHDR' || view.getUint32(at) !== 13) throw new ImageDefect('corrupt', 'does not begin with a header');
  if (at + 16 > view.byteLength)
    throw new ImageDefect('truncated', `ends at byte ${view.byteLength}, inside chunk IHDR`);
  const width = view.getUint32(at + 8);
  const height = view.getUint32(at + 12);
  if (width === 0 || height === 0) throw new ImageDefect('corrupt', `${width}x${height} pixels`);
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw new ImageDefect('too-large', `${width}x${height} pixels, at most ${MAX_SIDE}x${MAX_SIDE}`);
  }
}

function readHeader(chunk: Chunk | undefined): PngHeader {
  const data = chunk!.data;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const depth = view.getUint8(8);
  const colour = view.getUint8(9);
  const channels = CHANNELS.get(colour);
  const interlaced = view.getUint8(12) === 1;
  if (channels === undefined) throw new ImageDefect('corrupt', `unknown colour type ${colour}`);
  if (interlaced && depth < 8)
    throw new ImageDefect('corrupt', `interlaced pictures of ${depth} bit are not supported`);
  return { width: view.getUint32(0), height: view.getUint32(4), depth, channels, palette: colour === 3, interlaced };
}

function inflateLines(chunks: Chunk[], header: PngHeader): Uint8Array {
  const parts = chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.data);
  const expected = pixelBytes(header);
  const limit = header.interlaced ? 2 * expected + 64 : expected;
  let lines: Uint8Array;
  try {
    lines = inflateSync(parts.length === 1 ? parts[0]! : Buffer.concat(parts), { maxOutputLength: limit });
  } catch (cause) {
    throw new ImageDefect('corrupt', 'pixel data cannot be decompressed to the size the header promises', { cause });
  }
  if (lines.length < expected) {
    throw new ImageDefect('truncated', `${lines.length} bytes of pixel data, expected ${expected}`);
  }
  return lines;
}

/** Bytes of the decompressed pixel data: each line begins with one byte naming its filter. */
function pixelBytes({ width, height, depth, channels }: PngHeader): number {
  return height * (1 + Math.ceil((width * channels * depth) / 8));
}

function strip(bytes: Uint8Array, chunks: Chunk[]): Uint8Array {
  const kept = chunks.filter((chunk) => NEEDED.has(chunk.type));
  return new Uint8Array(Buffer.concat([SIGNATURE, ...kept.map((chunk) => bytes.subarray(chunk.start, chunk.end))]));
}
