import { readMnist } from '../../vision/mnist';

test('the first digits are those everyone knows', () => {
  expect(readMnist('train', 0, 5).map(({ label }) => label)).toEqual([5, 0, 4, 1, 9]);
  expect(readMnist('test', 0, 5).map(({ label }) => label)).toEqual([7, 2, 1, 0, 4]);
});

test('a digit is the same wherever reading begins', () => {
  expect(readMnist('train', 100, 103)).toEqual(readMnist('train', 98, 110).slice(2, 5));
});

test('pictures are 28x28 with ink in the middle and an empty border', () => {
  for (const { image } of readMnist('test', 0, 50)) {
    expect([image.width, image.height, image.pixels.length]).toEqual([28, 28, 784]);
    expect(image.pixels.subarray(0, 28).every((grey) => grey === 0)).toBe(true);
    expect(Math.max(...image.pixels)).toBeGreaterThan(200);
  }
});

test('reading stops at the end of the data', () => {
  expect(readMnist('test', 9998, 20_000)).toHaveLength(2);
  expect(readMnist('train', 60_000, 60_010)).toHaveLength(0);
});
