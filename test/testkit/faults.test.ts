import type { Logic } from '../../lib/runtime';
import { type FaultKind, type Faults, type Part, type Pipeline, simulate } from '../../lib/testkit';
import { essayArrived, essayGraded, gradeEssay } from '../support/essays';

const FAULTS: readonly [kind: FaultKind, told: RegExp][] = [
  ['crash', /! grade-essay\/\d+ +dies (before|after) \S+ \S+ took effect/],
  ['lost', /! \S+ +the answer of .* gets lost$/m],
  ['repeated', /! \S+ +the answer of .* gets lost, and the SDK makes it once more/],
  ['throttle', /! \S+ +.* is throttled/],
  ['error', /! \S+ +.* fails with 500 (before|after) it took effect/],
  ['delay', /! grade-essay\/\d+ +.* takes \d+\.\d s/],
  ['refuse', /! \S+ +EventBridge PutEvents refuses some/],
  ['duplicate', /! grade-essay +gets .* [2-5] times/],
  ['late', /! grade-essay +will get .* once more, hours later/],
  ['again', /! grade-essay +gets .* although somebody has it/],
  ['reorder', /! grade-essay +gets .* \d+ ms late/],
  ['uninvoked', /! grade-essay +is throttled: 1 messages were received by nobody/],
  ['undeleted', /! grade-essay\/\d+ +is done, and its messages stay in the queue/],
];

async function graded(options: { seed: number; faults: Partial<Faults> | 'all' }): Promise<Pipeline> {
  const logic: Logic<typeof gradeEssay> = async ({ data: { essay } }, { once }) => {
    await once('print', (token) => pipeline.effect('print', token));
    return [essayGraded.create({ essay, grade: 1 })];
  };
  const parts: Part[] = [{ module: gradeEssay, logic }];
  const pipeline: Pipeline = simulate(parts, options);
  pipeline.publish(essayArrived.create(essayArrived.example));
  await pipeline.run();
  return pipeline;
}

describe.each(FAULTS)('%s', (kind, told) => {
  test('is told in the story, and the event is handled all the same', async () => {
    const pipeline = await graded({ seed: 3, faults: { [kind]: 1, budget: 2 } });
    expect(pipeline.faults.length).toBeGreaterThan(0);
    expect(pipeline.faults.every((name) => name.startsWith(`${kind}|`))).toBe(true);
    expect(pipeline.story()).toMatch(told);
    expect(pipeline.handled('grade-essay')).toHaveLength(1);
    expect(pipeline.emitted(essayGraded)).toHaveLength(1);
    expect(pipeline.deadLetters()).toEqual([]);
  });
});

test('faults end when their budget is used up', async () => {
  const pipeline = await graded({ seed: 3, faults: { throttle: 1, budget: 4 } });
  expect(pipeline.faults).toHaveLength(4);
});

test('the same seed tells the same story, another seed another', async () => {
  const stories: string[] = [];
  for (const seed of [11, 11, 12]) stories.push((await graded({ seed, faults: 'all' })).story());
  expect(stories[1]).toBe(stories[0]);
  expect(stories[2]).not.toBe(stories[0]);
});

test('seeds differ in which faults they have', async () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 60; seed++) {
    const { faults } = await graded({ seed, faults: 'all' });
    for (const name of faults) kinds.add(name.slice(0, name.indexOf('|')));
  }
  expect([...kinds]).toEqual(expect.arrayContaining(FAULTS.map(([kind]) => kind)));
});
