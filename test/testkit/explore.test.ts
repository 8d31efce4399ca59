import type { Logic } from '../../lib/runtime';
import { explore, type Pipeline, type Scenario, simulate } from '../../lib/testkit';
import { essayArrived, essayGraded, gradeEssay } from '../support/essays';
import { lateRefusal } from '../support/refusal';

/** Grades an essay, which is printed by a service that does not know a repetition. */
function scenario(print: (pipeline: Pipeline, once: Parameters<Logic<typeof gradeEssay>>[1]['once']) => Promise<void>) {
  const printed: Scenario = async (trial) => {
    const logic: Logic<typeof gradeEssay> = async ({ data: { essay } }, { once }) => {
      await print(pipeline, once);
      return [essayGraded.create({ essay, grade: 1 })];
    };
    const pipeline: Pipeline = simulate([{ module: gradeEssay, logic }], trial);
    pipeline.publish(essayArrived.create(essayArrived.example));
    await pipeline.run();
    const times = pipeline.effects.find(({ kind }) => kind === 'own')?.times;
    if (times !== 1) throw new RangeError(`printed ${times} times`);
  };
  return printed;
}

test('a logic that is not repeatable is found out, and told with seed and shortest story', async () => {
  const refused = await lateRefusal(
    explore(
      200,
      scenario((pipeline) => pipeline.effect('print')),
    ),
  );
  expect(refused.code).toBe('HR706');
  expect(refused.message).toMatch(/Seed \d+ fails: printed \d times/);
  expect(refused.message).toMatch(/with 1 faults:/);
  expect(refused.details.cause).toBeInstanceOf(RangeError);
  const faults = refused.message.split('\n').filter((line) => / s ! /.test(line));
  expect(faults.length).toBeGreaterThan(0);
});

test('it is told in the same words each time', async () => {
  const found = () =>
    lateRefusal(
      explore(
        200,
        scenario((pipeline) => pipeline.effect('print')),
      ),
    );
  expect((await found()).message).toBe((await found()).message);
});

test('a scenario that holds is counted, with its faults', async () => {
  const answered = new Set<string>();
  const explored = await explore([3, 5, 8], async (trial) => {
    answered.add(`${trial.seed}`);
    const pipeline = simulate([{ module: gradeEssay, logic: async () => [] }], trial);
    pipeline.publish(essayArrived.create(essayArrived.example));
    await pipeline.run();
  });
  expect([...answered]).toEqual(['3', '5', '8']);
  expect(explored).toEqual({ seeds: 3, faults: expect.any(Number) });
  expect(explored.faults).toBeGreaterThan(0);
});
