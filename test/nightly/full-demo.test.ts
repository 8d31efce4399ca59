import { playDemo } from '../e2e/support/play-demo';

jest.setTimeout(1_800_000);

test('trained on all 60,000 images, the champion reads at least 99 % of the held-out images', async () => {
  const { code, summary, stderr } = await playDemo('--full');
  expect([code, stderr.split('\n').at(-2)]).toEqual([0, expect.anything()]);
  expect(summary.trainImages).toBeGreaterThanOrEqual(59_900);
  expect(summary.accuracy).toBeGreaterThanOrEqual(0.99);
  expect(summary.resumedFromCheckpoint).toBe(true);
});
