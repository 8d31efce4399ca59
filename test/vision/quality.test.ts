import * as fc from 'fast-check';
import { qualityScore, THRESHOLD } from '../../vision/quality';

const even = new Array<number>(10).fill(100);

test('a dataset without defects and with even classes scores 1, with nothing to complain about', () => {
  expect(qualityScore({ total: 1000, accepted: 1000, defects: {}, perClass: even })).toEqual({
    score: 1,
    usable: 1,
    balance: 1,
    reasons: [],
  });
});

test('unusable samples cost their share, and the most frequent reason comes first', () => {
  const quality = qualityScore({ total: 1100, accepted: 1000, defects: { blank: 20, truncated: 80 }, perClass: even });
  expect(quality.score).toBeCloseTo(1000 / 1100, 10);
  expect(quality.reasons).toEqual(['80 of 1100 samples truncated (7.3 %)', '20 of 1100 samples blank (1.8 %)']);
});

test('one sample in eleven unusable is just good enough, one in eight is not', () => {
  expect(qualityScore({ total: 1100, accepted: 1000, defects: { blank: 100 }, perClass: even }).score).toBeGreaterThan(
    THRESHOLD,
  );
  expect(qualityScore({ total: 1143, accepted: 1000, defects: { blank: 143 }, perClass: even }).score).toBeLessThan(
    THRESHOLD,
  );
});

test('the natural unevenness of MNIST is no defect', () => {
  const mnist = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949];
  const quality = qualityScore({ total: 60000, accepted: 60000, defects: {}, perClass: mnist });
  expect(quality.score).toBeGreaterThan(0.995);
  expect(quality.reasons).toEqual([]);
});

test('a class twice as frequent as another is named, a missing one too', () => {
  const uneven = qualityScore({ total: 300, accepted: 300, defects: {}, perClass: [200, 100] });
  expect(uneven.reasons).toEqual(['class 0 has 200 samples, class 1 only 100']);
  const missing = qualityScore({ total: 300, accepted: 300, defects: {}, perClass: [200, 0, 100, 0] });
  expect(missing.reasons).toEqual(['no samples of class 1, 3']);
});

test('an empty dataset and one of a single class score 0', () => {
  expect(qualityScore({ total: 0, accepted: 0, defects: {}, perClass: [0, 0] }).score).toBe(0);
  expect(qualityScore({ total: 9, accepted: 9, defects: {}, perClass: [9, 0] }).score).toBe(0);
});

test('the score stays within 0..1 and never rises with another defect', () => {
  const counts = fc.array(fc.nat(50), { minLength: 2, maxLength: 10 });
  void fc.assert(
    fc.property(counts, fc.nat(50), (perClass, blank) => {
      const accepted = perClass.reduce((sum, n) => sum + n, 0);
      const score = (more: number) =>
        qualityScore({ total: accepted + more, accepted, defects: { blank: more }, perClass }).score;
      expect(score(blank)).toBeGreaterThanOrEqual(0);
      expect(score(blank)).toBeLessThanOrEqual(1);
      expect(score(blank + 1)).toBeLessThanOrEqual(score(blank));
    }),
  );
});

test('fails when the counts contradict each other', () => {
  expect(() => qualityScore({ total: 10, accepted: 11, defects: {}, perClass: [11, 0] })).toThrow(/accepted 11 of 10/);
  expect(() => qualityScore({ total: 10, accepted: 8, defects: { blank: 1 }, perClass: [8, 0] })).toThrow(/are not 10/);
});
