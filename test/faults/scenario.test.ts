import '../support/quiet';
import { explore } from '../../lib/testkit';
import { scenario } from './simulation/scenario';

test('sixty seeds under all faults break no rule; the thousands are in test:faults', async () => {
  const explored = await explore(60, async (trial) => void (await scenario(trial)));
  expect(explored.seeds).toBe(60);
  expect(explored.faults).toBeGreaterThan(200);
});
