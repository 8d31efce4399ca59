import { join } from 'node:path';
import { simulateProject } from '../../lib/testkit';
import { sampleArrived } from '../fixtures/small-project/events/sample-arrived.v1';
import { sampleLabelled } from '../fixtures/small-project/events/sample-labelled.v1';
import { refusal } from '../support/refusal';

const FIXTURES = join(__dirname, '..', 'fixtures');

test('a project runs as its folder declares it, down to the start of a workflow', async () => {
  const pipeline = simulateProject(join(FIXTURES, 'small-project'), { seed: 5, faults: 'all' });
  pipeline.publish(sampleArrived.create({ sample: 'announced', bytes: 12 }));
  pipeline.publish(sampleArrived.create({ sample: 'empty', bytes: 0 }));
  pipeline.put('samples', 'inbox/uploaded', 'twelve bytes');
  pipeline.put('samples', 'elsewhere/unheard', 'twelve bytes');
  await pipeline.run();
  const labelled = pipeline.emitted(sampleLabelled).map(({ data }) => data.sample);
  expect(labelled.sort()).toEqual(['announced', 'inbox/uploaded']);
  expect(pipeline.runs.map(({ workflow, name }) => [workflow, name])).toEqual([
    ['fit-model', expect.stringMatching(/^fit-model-[0-9a-f]{16}$/)],
    ['fit-model', expect.stringMatching(/^fit-model-[0-9a-f]{16}$/)],
  ]);
  expect(pipeline.deadLetters()).toEqual([]);
});

test('a folder that is no project is refused', () => {
  expect(refusal(() => simulateProject(FIXTURES))).toMatchObject({ code: 'HR506' });
});
