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
  });
  expect(drawn).toMatch(/^<svg .*<\/svg>\n$/s);
  expect(drawn.match(/class="module"/g)).toHaveLength(2);
  expect(drawn).toContain('a&lt;b');
  expect(drawn).not.toContain('NaN');
});
