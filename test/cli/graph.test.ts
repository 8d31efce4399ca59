import { join } from 'node:path';
import { main } from '../../lib/cli';
import { svg } from '../../lib/cli/graph/svg';
import type { Graph } from '../../lib/module';
import { testHost } from './test-host';

async function graphJson(): Promise<Graph> {
  const host = testHost();
  expect(await main(['graph', '--json'], host)).toBe(0);
  expect(host.err()).toBe('');
  return JSON.parse(host.out()) as Graph;
}

test('--json names every module with what it receives and emits, and every event with who says and hears it', async () => {
  const { modules, events } = await graphJson();
  expect(modules.find(({ name }) => name === 'deploy-model')).toMatchObject({
    on: ['model.evaluated'],
    emits: expect.arrayContaining(['model.deployed', 'model.withheld']),
  });
  expect(events.find(({ type }) => type === 'model.evaluated')).toMatchObject({
    version: 1,
    producers: ['train-digits'],
    consumers: ['deploy-model'],
  });
});

test('the text names every module and every event', async () => {
  const { modules, events } = await graphJson();
  const host = testHost();
  await main(['graph'], host);
  for (const { name } of modules) expect(host.out()).toContain(name);
  for (const { type } of events) expect(host.out()).toContain(type);
});

test('the Mermaid chart has an arrow for each event between two modules', async () => {
  const host = testHost();
  await main(['graph', '--format', 'mermaid'], host);
  expect(host.out()).toMatch(/^flowchart LR\n/);
  expect(host.out()).toContain('train_digits -->|model.evaluated| deploy_model');
});

test('the SVG draws every module once, and escapes what it draws', () => {
  const module = (name: string, on: string[], emits: string[]) =>
    ({ name, kind: 'module', summary: '', on, emits, steps: [] }) as const;
  const drawn = svg({
    modules: [module('a<b', ['x.happened'], ['y.happened']), module('c', ['y.happened'], [])],
    events: [],
    cycles: [],
  });
  expect(drawn).toMatch(/^<svg .*<\/svg>\n$/s);
  expect(drawn.match(/class="module"/g)).toHaveLength(2);
  expect(drawn).toContain('a&lt;b');
  expect(drawn).not.toContain('NaN');
});

describe('of a project whose modules feed each other', () => {
  const project = join(__dirname, '..', 'fixtures', 'broken', 'circle');

  test('the text lists each circle with what ends it, and those that nobody ends', async () => {
    const host = testHost();
    expect(await main(['graph', '--project', project], host)).toBe(0);
    const [, circles = ''] = host.out().split('Circles (3)\n');
    expect(circles).toContain(
      'judge-answer -> answer.given -> judge-answer\n  judge-answer ends it: an answer is judged twice at most',
    );
    expect(circles).toContain(
      'answer-question -> answer.given -> hold-talk -> question.asked -> answer-question\n  nobody says what ends it, so it is not deployed (HR206)',
    );
  });

  test('--json has the circles as data', async () => {
    const host = testHost();
    await main(['graph', '--project', project, '--json'], host);
    const { cycles } = JSON.parse(host.out()) as Graph;
    expect(cycles).toContainEqual({
      members: ['judge-answer'],
      events: [['answer.given']],
      reasons: [{ name: 'judge-answer', reason: 'an answer is judged twice at most' }],
    });
  });

  test('the doctor finds fault with it', async () => {
    const host = testHost();
    expect(await main(['doctor', '--project', project, '--json'], host)).toBe(1);
    const { checks } = JSON.parse(host.out());
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'circles', result: 'fail', found: expect.stringMatching(/^HR206 .*hold-talk/) }),
    );
  });
});

test('the doctor lists no circle where there is none', async () => {
  const host = testHost();
  await main(['doctor', '--json'], host);
  expect(JSON.parse(host.out()).checks).toContainEqual({ name: 'circles', result: 'ok', found: 'none' });
});
