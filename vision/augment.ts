import type { Image } from './image';
import { type Random, random } from './rng';

// Bound once: looked up on the global object they are slow inside a vm context, such as Jest's.
const { floor } = Math;

/** Pictures made of each one. */
export const VARIANTS = 3;

const MAX_SHIFT = 1.5;
const MAX_TURN = (10 * Math.PI) / 180;
const MAX_STRETCH = 0.08;

/**
 * Plausible other handwritings of the same digit: turned by up to 10 degrees about the middle, stretched by up to 8 %,
 * shifted by up to 1.5 pixels, interpolated between pixels. The same picture and seed give the same variants.
 *
 * Source of the idea: Simard, Steinkraus, Platt 2003, section 2 (affine distortions of MNIST).
 */
export function augment(image: Image, seed: number): Image[] {
  return Array.from({ length: VARIANTS }, (_, variant) => distort(image, random(seed, variant)));
}

function distort(image: Image, next: Random): Image {
  const { width, height } = image;
  const turn = within(MAX_TURN, next);
  const stretch = 1 + within(MAX_STRETCH, next);
  const shiftX = within(MAX_SHIFT, next);
  const shiftY = within(MAX_SHIFT, next);
  const cos = Math.cos(turn) / stretch;
  const sin = Math.sin(turn) / stretch;
  const midX = (width - 1) / 2;
  const midY = (height - 1) / 2;
  const pixels = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const dx = x - midX - shiftX;
      const dy = y - midY - shiftY;
      pixels[at] = Math.round(between(image, midX + cos * dx + sin * dy, midY - sin * dx + cos * dy));
    }
  }
  return { width, height, pixels };
}

/** Grey at a point between pixels (bilinear); black outside. */
function between(image: Image, x: number, y: number): number {
  const left = floor(x);
  const top = floor(y);
  const right = x - left;
  const down = y - top;
  const upper = (1 - right) * grey(image, left, top) + right * grey(image, left + 1, top);
  const lower = (1 - right) * grey(image, left, top + 1) + right * grey(image, left + 1, top + 1);
  return (1 - down) * upper + down * lower;
}

function grey({ width, height, pixels }: Image, x: number, y: number): number {
  return x >= 0 && y >= 0 && x < width && y < height ? pixels[y * width + x]! : 0;
}

function within(limit: number, next: Random): number {
  return limit * (2 * next() - 1);
}
