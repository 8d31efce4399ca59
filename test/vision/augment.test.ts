import { augment, VARIANTS } from '../../vision/augment';
import { extractFeatures } from '../../vision/features';
import { readMnist } from '../../vision/mnist';
import { draw } from './samples';

const digits = readMnist('train', 0, 20).map(({ image }) => image);
const ink = (pixels: Uint8Array) => pixels.reduce((sum, grey) => sum + grey, 0);

test('variants have the size of the picture, differ from it and from each other', () => {
  for (const image of digits) {
    const variants = augment(image, 1);
    expect(variants).toHaveLength(VARIANTS);
    for (const { width, height } of variants) expect([width, height]).toEqual([28, 28]);
    const shown = [image, ...variants].map(({ pixels }) => Buffer.from(pixels).toString('hex'));
    expect(new Set(shown).size).toBe(VARIANTS + 1);
  }
});

test('the same seed gives the same variants, another seed others', () => {
  expect(augment(digits[0]!, 1)).toEqual(augment(digits[0]!, 1));
  expect(augment(digits[0]!, 2)).not.toEqual(augment(digits[0]!, 1));
});

test('the ink is moved, not lost', () => {
  for (const image of digits) {
    for (const { pixels } of augment(image, 3)) {
      expect(ink(pixels) / ink(image.pixels)).toBeGreaterThan(0.75);
      expect(ink(pixels) / ink(image.pixels)).toBeLessThan(1.25);
    }
  }
});

test('a variant resembles its picture more than other digits do', () => {
  const distance = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0);
  const features = digits.map(extractFeatures);
  digits.forEach((image, i) => {
    for (const variant of augment(image, 4)) {
      const distances = features.map((one) => distance(one, extractFeatures(variant)));
      expect(distances.indexOf(Math.min(...distances))).toBe(i);
    }
  });
});

test('an empty picture stays empty', () => {
  for (const { pixels } of augment(
    draw(() => 0),
    1,
  ))
    expect(ink(pixels)).toBe(0);
});
