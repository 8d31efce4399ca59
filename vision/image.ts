import { createHash } from 'node:crypto';
import { convertIndexedToRgb, type DecodedPng, decode, encode } from 'fast-png';
import { ImageDefect } from './image-defect';
import { vetPng } from './png-chunks';
import { unfilter } from './png-lines';

/** A grey picture: 8 bits a pixel, row by row from the top left, 0 black to 255 white. */
export type Image = { width: number; height: number; pixels: Uint8Array };

/**
 * Decodes any PNG to 8-bit grey: colour by the luma weights of ITU-R BT.601, transparency laid over black,
 * 16 bits rounded to 8, 1, 2 and 4 bits and palettes spread over the full range.
 * Every checksum is verified and sizes are limited before anything is decompressed (see `vetPng`).
 *
 * @throws ImageDefect `truncated`, `corrupt` or `too-large`
 */
export function decodePng(bytes: Uint8Array): Image {
  const vetted = vetPng(bytes);
  const { width, height, depth, channels, palette, interlaced } = vetted.header;
  if (depth === 8 && channels === 1 && !palette && !interlaced) {
    return { width, height, pixels: unfilter(vetted.lines, width, height) };
  }
  try {
    const png = decode(vetted.bytes);
    return { width: png.width, height: png.height, pixels: palette ? lookUp(png) : toGrey(png) };
  } catch (cause) {
    throw new ImageDefect('corrupt', cause instanceof Error ? cause.message : 'cannot be decoded', { cause });
  }
}

/** Encodes as 8-bit grey PNG. The same picture always gives the same bytes. */
export function encodePng({ width, height, pixels }: Image): Uint8Array {
  return encode({ width, height, data: pixels, depth: 8, channels: 1 });
}

/** Names a picture by what it shows: SHA-256 in hex of its dimensions and pixels, however it was encoded. */
export function pixelHash({ width, height, pixels }: Image): string {
  return createHash('sha256').update(`${width}x${height}:`).update(pixels).digest('hex');
}

function lookUp(png: DecodedPng): Uint8Array {
  const colours = convertIndexedToRgb(png);
  return mixChannels(colours, colours.length / (png.width * png.height), 1);
}

function toGrey(png: DecodedPng): Uint8Array {
  if (png.depth < 8) return unpackBits(png);
  return mixChannels(png.data, png.channels, png.depth === 16 ? 257 : 1);
}

/** @param scale what one step of 8-bit grey measures in `data` */
function mixChannels(data: ArrayLike<number>, channels: number, scale: number): Uint8Array {
  const pixels = new Uint8Array(data.length / channels);
  const coloured = channels >= 3;
  const opaque = channels === 1 || channels === 3;
  for (let i = 0, at = 0; i < pixels.length; i++, at += channels) {
    const grey = coloured ? 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]! : data[at]!;
    const alpha = opaque ? 1 : data[at + channels - 1]! / (255 * scale);
    pixels[i] = Math.round((grey * alpha) / scale);
  }
  return pixels;
}

/** Spreads pixels of 1, 2 or 4 bits, packed from the high bit with lines padded to whole bytes, over 0..255. */
function unpackBits({ width, height, depth, data }: DecodedPng): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const lineBytes = Math.ceil((width * depth) / 8);
  const max = (1 << depth) - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = data[y * lineBytes + (bit >> 3)]!;
      pixels[y * width + x] = (((byte >> (8 - depth - (bit & 7))) & max) * 255) / max;
    }
  }
  return pixels;
}
