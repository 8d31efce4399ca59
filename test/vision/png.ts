import { crc32, deflateSync } from 'node:zlib';

export const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** One chunk of a PNG with its checksum. */
export function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(Buffer.from(type, 'latin1'), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

export type PngParts = {
  width: number;
  height: number;
  depth?: number;
  colour?: number;
  interlace?: number;
  /** Lines with their filter byte, before compression. */
  lines: Uint8Array;
  /** Chunks between header and pixel data. */
  between?: Uint8Array[];
};

/** A PNG made by hand, also one that no encoder would write. */
export function buildPng({
  width,
  height,
  depth = 8,
  colour = 0,
  interlace = 0,
  lines,
  between = [],
}: PngParts): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, colour, 0, 0, interlace], 8);
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      ...between,
      chunk('IDAT', deflateSync(lines)),
      chunk('IEND', new Uint8Array()),
    ]),
  );
}
