import { pixelHash } from '../../vision/image';
import { readMnist } from '../../vision/mnist';
import { candidates, isValidation } from '../../vision/search';

test('about a tenth of real digits is held out, evenly over the classes', () => {
  const digits = readMnist('train', 0, 5000);
  const heldOut = digits.filter(({ image }) => isValidation(pixelHash(image)));
  expect(heldOut.length / 5000).toBeGreaterThan(0.085);
  expect(heldOut.length / 5000).toBeLessThan(0.115);
  for (let digit = 0; digit < 10; digit++) {
    expect(heldOut.filter(({ label }) => label === digit).length).toBeGreaterThan(25);
  }
});

test('the side of a picture is fixed for ever, for models trained earlier rely on it', () => {
  expect(isValidation(`00000000${'f'.repeat(56)}`)).toBe(true);
  expect(isValidation(`0000000a${'f'.repeat(56)}`)).toBe(true);
  expect(isValidation(`00000001${'0'.repeat(56)}`)).toBe(false);
  expect(isValidation(`ffffffff${'0'.repeat(56)}`)).toBe(false);
});

test('a small training set is searched with quick candidates, a large one also with hidden layers', () => {
  expect(candidates(20_000).every(({ hidden, epochs }) => hidden === 0 && epochs <= 10)).toBe(true);
  expect(candidates(20_001).some(({ hidden }) => hidden >= 64)).toBe(true);
});

test.each([100, 60_000])('the candidates for %i images differ and are the same each time', (images) => {
  const all = candidates(images).map((candidate) => JSON.stringify(candidate));
  expect(new Set(all).size).toBe(all.length);
  expect(candidates(images)).toEqual(candidates(images));
});
