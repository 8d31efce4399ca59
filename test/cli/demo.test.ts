import { stripVTControlCharacters } from 'node:util';
import type { SeenEvent } from '../../lib/cli';
import { EventLog } from '../../lib/cli/demo/event-log';
import { liveView } from '../../lib/cli/demo/live-view';
import { Stages } from '../../lib/cli/demo/stages';
import { Output } from '../../lib/cli/output';
import type { Graph } from '../../lib/module';
import { screen, testHost } from './test-host';

const second = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();

const seen = (id: string, type: string, more: Partial<SeenEvent> = {}): SeenEvent => ({
  id,
  type,
  source: 'headrace.test',
  time: second(0),
  subject: id,
  version: 1,
  correlationId: 'c',
  hops: 0,
  data: {},
  ...more,
});

const soon = { timeoutSeconds: 0.05, describe: 'a model' };

test('waiting finds what has passed and what is still to come', async () => {
  const log = new EventLog(new AbortController().signal);
  log.add(seen('1', 'a.happened'));
  expect((await log.waitFor(({ type }) => type === 'a.happened', soon)).id).toBe('1');
  const coming = log.waitFor(({ type }) => type === 'b.happened', { ...soon, timeoutSeconds: 5 });
  log.add(seen('2', 'b.happened'));
  expect((await coming).id).toBe('2');
});

test('fails when it does not come in time, telling what was waited for and what came', async () => {
  const log = new EventLog(new AbortController().signal);
  log.add(seen('1', 'a.happened'));
  await expect(log.waitFor(() => false, soon)).rejects.toMatchObject({
    code: 'HR507',
    message: expect.stringMatching(/for a model\..*last seen: a\.happened 1/),
  });
});

test('fails at once when a run fails that nobody waits for, and not when somebody did', async () => {
  const log = new EventLog(new AbortController().signal);
  log.add(seen('1', 'run.failed', { data: { step: 'train-model', error: 'E', cause: 'why' } }));
  await expect(log.waitFor(() => false, soon)).rejects.toMatchObject({ code: 'HR504' });
  await log.waitFor(({ type }) => type === 'run.failed', soon);
  await expect(log.waitFor(() => false, soon)).rejects.toMatchObject({ code: 'HR507' });
});

test('every loop over the events begins with the first and ends with the signal', async () => {
  const stop = new AbortController();
  const log = new EventLog(stop.signal);
  for (const id of ['1', '2']) log.add(seen(id, 'a.happened'));
  for (let loop = 0; loop < 2; loop++) {
    const ids: string[] = [];
    for await (const { id } of log) {
      ids.push(id);
      if (ids.length === 2 && loop === 0) break;
      if (ids.length === 2) stop.abort();
    }
    expect(ids).toEqual(['1', '2']);
  }
});

const graph: Graph = {
  modules: [
    { name: 'collect', kind: 'module', summary: '', on: ['up.loaded'], emits: ['data.arrived'], steps: [] },
    { name: 'correct', kind: 'module', summary: '', on: ['word.given'], emits: ['data.arrived'], steps: [] },
    {
      name: 'train',
      kind: 'workflow',
      summary: '',
      on: ['data.arrived'],
      emits: ['data.cleaned', 'model.trained'],
      steps: [
        { name: 'clean', emits: ['data.cleaned'] },
        { name: 'fit', emits: ['model.trained'] },
      ],
    },
  ],
  events: [],
  cycles: [],
};

test('an event belongs to the module that listens to its cause, or to the step that emits it', () => {
  const stages = new Stages(graph);
  stages.add(seen('0', 'word.given'));
  stages.add(seen('1', 'data.arrived', { causationId: '0', time: second(1) }));
  stages.add(seen('2', 'data.cleaned', { causationId: '1', time: second(3) }));
  stages.add(seen('3', 'model.trained', { causationId: '1', time: second(8) }));
  expect(stages.told[0]).toMatchObject({ stage: undefined, seconds: undefined });
  expect(stages.totals()).toEqual([
    { name: 'correct', seconds: 1, events: 1 },
    { name: 'clean', seconds: 2, events: 1 },
    { name: 'fit', seconds: 5, events: 1 },
  ]);
});

test('what a stage does at the same time counts once', () => {
  const stages = new Stages(graph);
  stages.add(seen('0', 'word.given', { time: second(0) }));
  stages.add(seen('1', 'word.given', { time: second(2) }));
  stages.add(seen('2', 'data.arrived', { causationId: '0', time: second(4) }));
  stages.add(seen('3', 'data.arrived', { causationId: '1', time: second(5) }));
  expect(stages.totals()).toEqual([{ name: 'correct', seconds: 5, events: 2 }]);
});

const verdict = `Withheld: ${'word '.repeat(40)}and 0.91 is below 0.95.`;

test('the log of a demo that is piped cuts nothing and has no spaces at its ends', () => {
  const host = testHost();
  const view = liveView(new Output({ json: false, host }), Date.parse(second(0)), () => []);
  const event = seen('1', 'model.withheld', { data: { reason: verdict } });
  view.event({ event, stage: 'deploy-model', seconds: 1 });
  view.event({ event: seen('2', 'a.happened'), stage: 'correct', seconds: undefined });
  view.say(verdict);
  expect(host.out()).not.toMatch(/…| \n/);
  expect(host.out().match(/and 0\.91 is below 0\.95\./g)).toHaveLength(2);
});

test('in a narrow terminal the story wraps between words, and what an event says has the room of the busy column', () => {
  const text: string[] = [];
  const host = testHost({ env: { NO_COLOR: '1' }, stdout: screen(80, text) });
  const totals = [{ name: 'deploy-model', seconds: 1.5, events: 1 }];
  const view = liveView(new Output({ json: false, host }), 0, () => totals);
  view.event({ event: seen('1', 'model.withheld', { data: { reason: verdict } }), stage: 'deploy-model', seconds: 1 });
  view.say(verdict);
  view.end();
  const lines = stripVTControlCharacters(text.join('')).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(lines.slice(0, 3).join(' ')).toBe(verdict);
  expect(lines.find((line) => line.startsWith('stage'))).not.toContain('busy');
  expect(lines.find((line) => line.startsWith('deploy-model'))).toMatch(/model\.withheld {2}Withheld: word.{20,}…$/);
});
