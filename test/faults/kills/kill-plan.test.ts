import { random } from '../../../vision/rng';
import { KillPlan, POINTS } from './kill-plan';

const call = (operation: string) => ({ service: 'any', operation, body: '' });

const SCRIPT = {
  claims: ({ operation }: { operation: string }) => operation === 'claim',
  makesEffect: ({ operation }: { operation: string }) => operation === 'effect',
  marks: ({ operation }: { operation: string }) => operation === 'mark',
  sends: ({ operation }: { operation: string }) => operation === 'send',
};
const WORK = ['claim', 'effect', 'mark', 'send'];

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Works off events one after the other, as a worker that is started again after each death. */
function play(kills: number, events: number, workers = 1) {
  const died: string[] = [];
  let at = 'at random';
  const plan = new KillPlan({
    kills,
    effects: events,
    script: SCRIPT,
    random: random(1),
    kill: () => {
      died.push(at);
      return workers;
    },
  });
  for (let event = 0; event < events; event++) {
    for (const step of WORK) {
      const fault = plan.decide(call(step));
      jest.advanceTimersByTime(1000);
      if (fault.kind === 'interrupt') {
        at = `${fault.when} ${step}`;
        fault.act();
        break;
      }
      at = 'at random';
      if (step === 'effect') plan.sawEffect();
    }
  }
  return { plan, died };
}

test('a worker dies at every point of its work, one after the other', () => {
  const { died } = play(POINTS.length, 100);
  expect(died).toEqual([
    'at random',
    'before claim',
    'before effect',
    'after effect',
    'after mark',
    'before send',
    'after send',
  ]);
});

test('as many die as are wanted, and no more', () => {
  const { plan, died } = play(20, 500);
  expect([plan.total, died.length]).toEqual([20, 20]);
  expect(Object.values(plan.done)).toEqual([3, 3, 3, 3, 3, 3, 2]);
});

test('a kill that hit nobody does not count', () => {
  expect(play(5, 100, 0).plan.total).toBe(0);
});

test('kills are spread over the work: none is due before its share of the effects is made', () => {
  const plan = new KillPlan({ kills: 2, effects: 100, script: SCRIPT, random: random(1), kill: () => 1 });
  plan.decide(call('claim'));
  jest.advanceTimersByTime(1000);
  expect(plan.total).toBe(1);
  expect(plan.decide(call('claim')).kind).toBe('pass');
  for (let i = 0; i < 45; i++) plan.sawEffect();
  expect(plan.decide(call('claim')).kind).toBe('interrupt');
});
