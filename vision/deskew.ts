import type { Image } from './image';

/**
 * Straightens a slanted digit: a shear along the rows that makes the ink's second moments uncorrelated, with the centre
 * of mass moved to the middle; values between pixels by bilinear interpolation.
 *
 * Source: LeCun, Bottou, Bengio, Haffner 1998, section III.A ("deslanting").
 *
 * @returns `width * height` values in 0..1, row by row; all zero for an empty picture
 */
export function deskew(image: Image): Float32Array {
  const { width, height } = image;
  const out = new Float32Array(width * height);
  const moments = momentsOf(image);
  if (!moments) return out;
  const { centreX, centreY, shear } = moments;
  const padded = pad(image);
  const stride = width + 2;
  for (let y = 0; y < height; y++) {
    const fromY = y + centreY - (height - 1) / 2;
    const top = Math.floor(fromY);
    if (top < -1 || top >= height) continue;
    const down = fromY - top;
    const start = centreX - (width - 1) / 2 + shear * (fromY - centreY);
    const shift = Math.floor(start);
    const right = start - shift;
    const first = Math.max(0, -1 - shift);
    const end = Math.min(width, width - shift);
    for (let x = first, at = (top + 1) * stride + first + shift + 1; x < end; x++, at++) {
      const upper = padded[at]! + right * (padded[at + 1]! - padded[at]!);
      const lower = padded[at + stride]! + right * (padded[at + stride + 1]! - padded[at + stride]!);
      out[y * width + x] = (upper + down * (lower - upper)) / 255;
    }
  }
  return out;
}

/** Centre of the ink and the slant that its second moments show; undefined when there is no ink. */
function momentsOf({ width, height, pixels }: Image): { centreX: number; centreY: number; shear: number } | undefined {
  let mass = 0;
  let sumX = 0;
  let sumY = 0;
  let sumXY = 0;
  let sumYY = 0;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const ink = pixels[at]!;
      mass += ink;
      sumX += ink * x;
      sumY += ink * y;
      sumXY += ink * x * y;
      sumYY += ink * y * y;
    }
  }
  if (mass === 0) return undefined;
  const centreX = sumX / mass;
  const centreY = sumY / mass;
  const covariance = sumXY / mass - centreX * centreY;
  const variance = sumYY / mass - centreY * centreY;
  return { centreX, centreY, shear: variance > 1e-6 ? covariance / variance : 0 };
}

/** The picture with a border of one empty pixel. */
function pad({ width, height, pixels }: Image): Uint8Array {
  const padded = new Uint8Array((width + 2) * (height + 2));
  for (let y = 0; y < height; y++) padded.set(pixels.subarray(y * width, (y + 1) * width), (y + 1) * (width + 2) + 1);
  return padded;
}
