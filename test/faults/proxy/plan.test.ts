import { random } from '../../../vision/rng';
import { randomFaults } from './plan';

const CALL = { service: 'dynamodb', operation: 'UpdateItem', body: '' };
const RATES = { drop: 0.1, duplicate: 0.1, throttle: 0.2, error: 0.1, delay: { share: 0.1, ms: 5 } };

const drawn = (seed: number, count: number) => {
  const plan = randomFaults(random(seed), RATES);
  return Array.from({ length: count }, () => plan(CALL).kind);
};

test('the same seed gives the same faults, another seed others', () => {
  expect(drawn(1, 50)).toEqual(drawn(1, 50));
  expect(drawn(2, 50)).not.toEqual(drawn(1, 50));
});

test.each([
  ['drop', 0.1],
  ['duplicate', 0.1],
  ['throttle', 0.2],
  ['error', 0.1],
  ['delay', 0.1],
  ['pass', 0.4],
])('the share of %s is the wanted one', (kind, share) => {
  const all = drawn(3, 10_000);
  expect(all.filter((each) => each === kind).length / all.length).toBeCloseTo(share, 1);
});

test('without rates nothing happens', () => {
  const plan = randomFaults(random(1), {});
  expect(Array.from({ length: 100 }, () => plan(CALL).kind)).not.toContain('throttle');
  expect(plan(CALL)).toEqual({ kind: 'pass' });
});
