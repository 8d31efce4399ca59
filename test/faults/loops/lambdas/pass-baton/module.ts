import { defineModule } from 'headrace/module';
import { batonPassed } from '../../events/baton-passed.v1';

/** Events after the first: the longest chain that is allowed. */
export const LEGS = 15;

export default defineModule({
  name: 'pass-baton',
  summary: 'Passes the baton on until the race is run',
  on: [batonPassed],
  emits: [batonPassed],
  cycle: `the race has ${LEGS} legs`,
});
