import { NonRetriable, objectCreated } from '../../lib/contract';
import { defineModule } from '../../lib/module';
import type { Logic } from '../../lib/runtime';
import { type Part, type Pipeline, simulate } from '../../lib/testkit';
import { essayArrived, essayGraded, gradeEssay } from '../support/essays';
import { lateRefusal, refusal } from '../support/refusal';

const grade: Logic<typeof gradeEssay> = async ({ data: { essay, words } }, { stores, once }) => {
  if (words === 13) throw new NonRetriable('unlucky');
  if (words === 14) throw new Error('no mood');
  await once('print', async () => 'printed');
  await stores.essays.put(`${essay}.txt`, 'graded');
  return [essayGraded.create({ essay, grade: 0.5 })];
};

const grading: Part = { module: gradeEssay, logic: grade };
const essay = (name: string, words = 300) => essayArrived.create({ essay: name, words, date: '2026-01-02' });

describe('without faults', () => {
  let pipeline: Pipeline;

  beforeAll(async () => {
    pipeline = simulate([grading]);
    pipeline.publish([essay('a'), essay('b'), essay('unlucky', 13)]);
    pipeline.publish(essay('moody', 14));
    await pipeline.run();
  });

  test('what is emitted is there with its data, each once', () => {
    const essays = pipeline.emitted(essayGraded).map(({ data, hops }) => [data.essay, hops]);
    expect(essays.sort()).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  test('what was handled is told by module', () => {
    expect(pipeline.handled('grade-essay').map(({ label }) => label)).toEqual([
      expect.stringMatching(/^essay.arrived [0-9a-f]{8}$/),
      expect.stringMatching(/^essay.arrived [0-9a-f]{8}$/),
    ]);
  });

  test('a bad event and one whose attempts are used up are dead letters, with error and attempts', () => {
    expect(pipeline.deadLetters('grade-essay').map(({ reason, attempts, error }) => [reason, attempts, error])).toEqual(
      [
        ['poison', 1, { name: 'NonRetriable', message: 'unlucky' }],
        ['attempts', 3, { name: 'Error', message: 'no mood' }],
      ],
    );
  });

  test('effects of once are told with their token, and how often they were done', () => {
    const [first] = pipeline.handled('grade-essay');
    const token = `grade-essay#${first?.id}#print`;
    expect(pipeline.effects).toContainEqual({ module: 'grade-essay', kind: 'once', name: 'print', token, times: 1 });
  });

  test('stores hold what was written', async () => {
    expect(await pipeline.store('essays').list('')).toEqual(['a.txt', 'b.txt']);
  });

  test('the story tells who did what when, and no fault', () => {
    const lines = pipeline.story().split('\n');
    expect(lines[0]).toMatch(/^ {5}0\.000 s {3}publisher +publishes essay\.arrived [0-9a-f]{8}, /);
    expect(lines.filter((line) => line.includes(' s !'))).toEqual([]);
  });

  test('a module that is not there is refused', () => {
    expect(refusal(() => pipeline.handled('grade-letter'))).toMatchObject({ code: 'HR705' });
    expect(refusal(() => pipeline.deadLetters('grade-letter'))).toMatchObject({ code: 'HR705' });
  });

  test('it goes on after it came to rest', async () => {
    pipeline.publish(essay('c'));
    await pipeline.run();
    expect(pipeline.emitted(essayGraded)).toHaveLength(3);
  });
});

test('what is put into a store is told to who listens, in the order of S3', async () => {
  const seen: unknown[] = [];
  const scan = defineModule({ name: 'scan-letter', summary: 'Scans', on: [objectCreated('letters')], emits: [] });
  const logic: Logic<typeof scan> = async ({ subject, sequence }) => {
    seen.push([subject, sequence?.value]);
    return [];
  };
  const pipeline = simulate([{ module: scan, logic }]);
  pipeline.put('letters', 'one', 'Dear');
  pipeline.put('letters', 'one', 'Dear all');
  pipeline.put('notes', 'two', 'nobody listens');
  await pipeline.run();
  expect(seen).toHaveLength(2);
  expect(seen).toEqual(
    expect.arrayContaining([
      ['one', expect.stringMatching(/1/)],
      ['one', expect.stringMatching(/2/)],
    ]),
  );
});

test('a chain that is too long is parked', async () => {
  const echo = defineModule({
    name: 'echo-essay',
    summary: 'Says again what it hears',
    on: [essayGraded],
    emits: [essayGraded],
    cycle: 'ends at the longest chain',
  });
  const logic: Logic<typeof echo> = async ({ data }) => [essayGraded.create(data)];
  const pipeline = simulate([{ module: echo, logic }], { maxHops: 4 });
  pipeline.publish(essayGraded.create({ essay: 'a', grade: 1 }));
  await pipeline.run();
  expect(pipeline.emitted(essayGraded).map(({ hops }) => hops)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(pipeline.deadLetters()).toMatchObject([{ reason: 'poison', error: { code: 'HR309' } }]);
});

test('a logic that hangs is ended when its time is up, and parked when its attempts are', async () => {
  const logic: Logic<typeof gradeEssay> = () => new Promise(() => undefined);
  const pipeline = simulate([{ module: { ...gradeEssay, retry: { ...gradeEssay.retry, attempts: 1 } }, logic }]);
  pipeline.publish(essay('a'));
  await pipeline.run();
  expect(pipeline.story()).toContain('is ended: its time is up');
  expect(pipeline.deadLetters()).toMatchObject([{ reason: 'attempts', attempts: 1 }]);
});

test('real work of the process is waited for while virtual time stands still', async () => {
  const logic: Logic<typeof gradeEssay> = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return [];
  };
  const pipeline = simulate([{ module: gradeEssay, logic }]);
  pipeline.publish(essay('a'));
  await pipeline.run();
  expect(pipeline.handled('grade-essay')).toHaveLength(1);
  expect(pipeline.story()).not.toContain('time is up');
});

test('a pipeline that does not come to rest in its time says what waits', async () => {
  const pipeline = simulate([grading], { maxHours: 0.0001 });
  pipeline.publish(essay('a', 14));
  const refused = await lateRefusal(pipeline.run());
  expect(refused).toMatchObject({ code: 'HR702', details: { got: expect.stringContaining('in grade-essay') } });
});

test.each([
  ['two modules of one name', [grading, grading], /Two modules are named grade-essay/],
  [
    'a module without logic',
    [{ module: gradeEssay, logic: undefined } as unknown as Part],
    /neither logic nor handler/,
  ],
])('%s are refused', (_, parts, message) => {
  const refused = refusal(() => simulate(parts));
  expect(refused.code).toBe('HR705');
  expect(refused.message).toMatch(message);
});
