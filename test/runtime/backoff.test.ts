import { DEFAULT_RETRY } from '../../lib/module';
import { backoffSeconds } from '../../lib/runtime';

const ALMOST_ONE = 1 - Number.EPSILON;

test.each([
  [1, 2],
  [2, 4],
  [3, 8],
  [8, 256],
  [9, 300],
  [100, 300],
])('after attempt %i the wait is at most %i seconds', (attempt, seconds) => {
  expect(backoffSeconds(DEFAULT_RETRY, attempt, ALMOST_ONE)).toBe(seconds);
});

test('the wait is spread over the whole range, and never shorter than a second', () => {
  expect(backoffSeconds(DEFAULT_RETRY, 5, 0)).toBe(1);
  expect(backoffSeconds(DEFAULT_RETRY, 5, 0.5)).toBe(16);
});

test('by itself it draws a random wait within the bounds', () => {
  const waits = Array.from({ length: 200 }, () => backoffSeconds(DEFAULT_RETRY, 5));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...waits)).toBeLessThanOrEqual(32);
  expect(new Set(waits).size).toBeGreaterThan(10);
});

test('a factor of one keeps the wait', () => {
  const steady = { attempts: 9, firstDelaySeconds: 30, factor: 1, maxDelaySeconds: 300 };
  expect(backoffSeconds(steady, 9, ALMOST_ONE)).toBe(30);
});
