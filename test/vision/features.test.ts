import { deskew, extractFeatures, FEATURE_DIMS } from '../../vision/features';
import { readMnist } from '../../vision/mnist';
import { draw } from './samples';

/** A bar 4 pixels wide, leaning by `slant` pixels a row. */
const bar = (slant: number, ink = 255) =>
  draw((x, y) => (y > 4 && y < 23 && Math.abs(x - 13.5 - slant * (y - 13.5)) < 2 ? ink : 0));

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (u: Float32Array, v: Float32Array) => u.reduce((sum, value, i) => sum + value * v[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Covariance of column and row over the ink, in pixels squared. */
function slantOf(ink: Float32Array): number {
  let mass = 0;
  let x = 0;
  let y = 0;
  let xy = 0;
  ink.forEach((value, at) => {
    mass += value;
    x += value * (at % 28);
    y += value * Math.floor(at / 28);
    xy += value * (at % 28) * Math.floor(at / 28);
  });
  return xy / mass - (x / mass) * (y / mass);
}

test('deskewing straightens a slanted bar and leaves an upright one', () => {
  const slanted = bar(0.4);
  expect(slantOf(Float32Array.from(slanted.pixels))).toBeGreaterThan(5);
  expect(Math.abs(slantOf(deskew(slanted)))).toBeLessThan(0.1);
  const upright = bar(0);
  expect([...deskew(upright)]).toEqual([...upright.pixels].map((grey) => grey / 255));
});

test('deskewing moves the ink to the middle', () => {
  const ink = deskew(draw((x, y) => (x < 4 && y < 4 ? 200 : 0)));
  expect(ink[13 * 28 + 13]).toBeCloseTo(200 / 255, 5);
  expect(ink[0]).toBe(0);
});

test('deskewing real digits takes nearly all their slant', () => {
  const slant = (inks: Float32Array[]) => inks.reduce((sum, ink) => sum + Math.abs(slantOf(ink)), 0);
  const images = readMnist('train', 0, 100).map(({ image }) => image);
  const before = slant(images.map(({ pixels }) => Float32Array.from(pixels)));
  expect(slant(images.map(deskew))).toBeLessThan(0.05 * before);
});

test('an empty picture has no slant and no features', () => {
  expect(deskew(draw(() => 0)).every((value) => value === 0)).toBe(true);
  expect(extractFeatures(draw(() => 0)).every((value) => value === 0)).toBe(true);
});

test('a picture has FEATURE_DIMS features, all in 0..1 and the same each time', () => {
  for (const { image } of readMnist('train', 0, 50)) {
    const features = extractFeatures(image);
    expect(features).toHaveLength(FEATURE_DIMS);
    expect(features.every((value) => value >= 0 && value <= 1)).toBe(true);
    expect(extractFeatures(image)).toEqual(features);
  }
});

test('features hardly depend on slant or on how dark the ink is', () => {
  const upright = extractFeatures(bar(0));
  expect(cosine(extractFeatures(bar(0.3)), upright)).toBeGreaterThan(0.9);
  expect(cosine(extractFeatures(bar(0, 128)), upright)).toBeGreaterThan(0.99);
});

test('features tell apart what runs in different directions or lies in different places', () => {
  const upright = extractFeatures(bar(0));
  const lying = extractFeatures(draw((x, y) => (x > 4 && x < 23 && Math.abs(y - 13.5) < 2 ? 255 : 0)));
  const ring = extractFeatures(draw((x, y) => (Math.abs(Math.hypot(x - 13.5, y - 13.5) - 8) < 2 ? 255 : 0)));
  expect(cosine(lying, upright)).toBeLessThan(0.4);
  expect(cosine(ring, upright)).toBeLessThan(0.4);
});

test('an edge from dark to light differs from one from light to dark', () => {
  const square = extractFeatures(draw((x, y) => (x > 6 && x < 21 && y > 6 && y < 21 ? 255 : 0)));
  const leftEdge = square.subarray((3 * 7 + 1) * 8, (3 * 7 + 1) * 8 + 8);
  const rightEdge = square.subarray((3 * 7 + 5) * 8, (3 * 7 + 5) * 8 + 8);
  expect(leftEdge.indexOf(Math.max(...leftEdge))).toBe(0);
  expect(rightEdge.indexOf(Math.max(...rightEdge))).toBe(4);
});

test('fails when the picture is not 28x28', () => {
  expect(() => extractFeatures(draw(() => 1, 32))).toThrow(/28x28 pictures, not 32x32/);
});
