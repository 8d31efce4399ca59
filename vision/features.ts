import { SIDE } from './defects';
import { deskew } from './deskew';
import type { Image } from './image';

export { deskew } from './deskew';

// Bound once: looked up on the global object they are slow inside a vm context, such as Jest's.
const { atan2, floor, min, sqrt } = Math;

/** Cells across and down: 4x4 pixels each. */
const CELLS = 7;

/** Directions told apart, light-to-dark from dark-to-light: one every 45 degrees. */
const ORIENTATIONS = 8;

/** No direction may take a greater share of its neighbourhood's contrast than this. */
const CLIP = 0.25;

/** Contrast (squared) under which a neighbourhood counts as faint and is not blown up to full strength. */
const FAINT = 0.1;

/** Features of one picture. */
export const FEATURE_DIMS = CELLS * CELLS * ORIENTATIONS;

/** Cells with a border of one, so that votes over the edge need no check. */
const GRID = CELLS + 2;

/**
 * What the classifier sees of a picture: for each of 7x7 cells of the deskewed digit, how strongly its edges run in each
 * of 8 directions. A pixel votes with its contrast for the two nearest directions and the four nearest cells, in
 * proportion. Each cell is normalised by the four 2x2 blocks it belongs to, clipped, and the four are averaged.
 *
 * Sources: Dalal and Triggs 2005 (histograms of oriented gradients); Felzenszwalb, Girshick, McAllester, Ramanan 2010,
 * section 6.2 (each cell once, under four truncated normalisations, instead of overlapping blocks); Maji and Malik 2009
 * (on digits).
 *
 * @param image 28x28
 * @returns `FEATURE_DIMS` values in 0..1
 * @throws RangeError for another size
 */
export function extractFeatures(image: Image): Float32Array {
  if (image.width !== SIDE || image.height !== SIDE) {
    throw new RangeError(`features are of ${SIDE}x${SIDE} pictures, not ${image.width}x${image.height}`);
  }
  return normalise(orientedContrast(deskew(image)));
}

/** @returns histogram of each cell of the grid, border included */
function orientedContrast(ink: Float32Array): Float32Array {
  const votes = new Float32Array(GRID * GRID * ORIENTATIONS);
  const stride = SIDE + 2;
  const framed = new Float32Array(stride * stride);
  for (let y = 0; y < SIDE; y++) framed.set(ink.subarray(y * SIDE, (y + 1) * SIDE), (y + 1) * stride + 1);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0, at = (y + 1) * stride + 1; x < SIDE; x++, at++) {
      const dx = framed[at + 1]! - framed[at - 1]!;
      const dy = framed[at + stride]! - framed[at - stride]!;
      if (dx !== 0 || dy !== 0) vote(votes, [x, y], dx, dy);
    }
  }
  return votes;
}

function vote(votes: Float32Array, [x, y]: readonly [number, number], dx: number, dy: number): void {
  const strength = sqrt(dx * dx + dy * dy);
  const turn = ((atan2(dy, dx) / (2 * Math.PI) + 1) * ORIENTATIONS) % ORIENTATIONS;
  const first = floor(turn);
  const second = (first + 1) % ORIENTATIONS;
  const column = (x + 0.5) / (SIDE / CELLS) + 0.5;
  const row = (y + 0.5) / (SIDE / CELLS) + 0.5;
  const right = column - floor(column);
  const down = row - floor(row);
  const corner = (floor(row) * GRID + floor(column)) * ORIENTATIONS;
  for (let quarter = 0; quarter < 4; quarter++) {
    const below = quarter >> 1;
    const beside = quarter & 1;
    const share = strength * (below ? down : 1 - down) * (beside ? right : 1 - right);
    const cell = corner + (below * GRID + beside) * ORIENTATIONS;
    votes[cell + first]! += share * (first + 1 - turn);
    votes[cell + second]! += share * (turn - first);
  }
}

function normalise(votes: Float32Array): Float32Array {
  const scales = blockScales(votes);
  const features = new Float32Array(FEATURE_DIMS);
  for (let y = 0, to = 0; y < CELLS; y++) {
    for (let x = 0; x < CELLS; x++, to += ORIENTATIONS) {
      const from = ((y + 1) * GRID + x + 1) * ORIENTATIONS;
      for (let block = 0; block < 4; block++) {
        const scale = scales[(y + (block >> 1)) * (CELLS + 1) + x + (block & 1)]!;
        for (let o = 0; o < ORIENTATIONS; o++) {
          features[to + o]! += min(CLIP, votes[from + o]! * scale) / (4 * CLIP);
        }
      }
    }
  }
  return features;
}

/** One over the strength of every 2x2 block of cells; the border counts as empty. */
function blockScales(votes: Float32Array): Float32Array {
  const energy = new Float32Array(GRID * GRID);
  for (let y = 1; y <= CELLS; y++) {
    for (let x = 1; x <= CELLS; x++) {
      const cell = y * GRID + x;
      for (let o = cell * ORIENTATIONS; o < (cell + 1) * ORIENTATIONS; o++) energy[cell]! += votes[o]! ** 2;
    }
  }
  const blocks = CELLS + 1;
  return Float32Array.from({ length: blocks * blocks }, (_, block) => {
    const cell = floor(block / blocks) * GRID + (block % blocks);
    return 1 / sqrt(energy[cell]! + energy[cell + 1]! + energy[cell + GRID]! + energy[cell + GRID + 1]! + FAINT);
  });
}
