import * as fc from 'fast-check';
import { gaussian, permutation, random } from '../../vision/rng';

const take = (count: number, ...seeds: number[]) => {
  const next = random(...seeds);
  return Array.from({ length: count }, next);
};

test('the same seeds give the same stream, others another, also in another order', () => {
  expect(take(5, 1, 2)).toEqual(take(5, 1, 2));
  expect(take(5, 2, 1)).not.toEqual(take(5, 1, 2));
  expect(take(5, 1, 3)).not.toEqual(take(5, 1, 2));
  expect(take(5, 1)).not.toEqual(take(5, 1, 0));
});

test('the stream is fixed for ever, for a change would change every model', () => {
  expect(take(3, 1, 0).map((value) => value.toFixed(6))).toMatchInlineSnapshot(`
[
  "0.296659",
  "0.849876",
  "0.310703",
]
`);
});

test('numbers are uniform in 0..1', () => {
  const numbers = take(20_000, 7);
  expect(numbers.every((value) => value >= 0 && value < 1)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth++) {
    const share = numbers.filter((value) => Math.floor(value * 10) === tenth).length / numbers.length;
    expect(Math.abs(share - 0.1)).toBeLessThan(0.01);
  }
});

test('normal numbers have mean 0 and deviation 1', () => {
  const next = random(3);
  const numbers = Array.from({ length: 20_000 }, () => gaussian(next));
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const variance = numbers.reduce((sum, value) => sum + value * value, 0) / numbers.length;
  expect(Math.abs(mean)).toBeLessThan(0.03);
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
});

test('a permutation holds every number once', () => {
  void fc.assert(
    fc.property(fc.nat(200), fc.nat(), (count, seed) => {
      expect([...permutation(count, random(seed))].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
    }),
  );
});

test('every place of a permutation is equally likely', () => {
  const first = new Array<number>(5).fill(0);
  for (let seed = 0; seed < 5000; seed++) first[permutation(5, random(seed))[0]!]! += 1;
  for (const times of first) expect(Math.abs(times - 1000)).toBeLessThan(120);
});
