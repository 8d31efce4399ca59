import { wilson } from '../../vision/interval';

test('intervals are those of the literature', () => {
  const [low, high] = wilson(81, 263);
  expect(low).toBeCloseTo(0.2553, 4);
  expect(high).toBeCloseTo(0.3662, 4);
});

test('none or all of few leaves much open, but nothing impossible', () => {
  expect(wilson(0, 10)).toEqual([0, expect.closeTo(0.2775, 4)]);
  expect(wilson(10, 10)).toEqual([expect.closeTo(0.7225, 4), expect.closeTo(1, 12)]);
  expect(wilson(0, 0)).toEqual([0, 1]);
});
