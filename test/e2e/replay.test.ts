import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import { PATTERN_CASES } from '../support/pattern-cases';
import { hashExpected, steps, Walkers } from '../support/walkers';

jest.setTimeout(300_000);

const walkers = new Walkers('replay');

beforeAll(() => walkers.start());
afterAll(() => walkers.stop());

/** Replays the last hours, and reads the answer as JSON. */
const replay = async (...args: string[]) => {
  const { code, stdout } = await walkers.cli('replay', '--from', '2h', '--json', ...args);
  return { code, ...(stdout === '' ? {} : JSON.parse(stdout)) };
};

const all = steps('w', 300);
const once = new Map(all.map(({ id }) => [id, 1]));

/** The same, for people: what it says when it refuses. */
const refused = async (...args: string[]) => {
  const { code, stderr } = await walkers.cli('replay', '--from', '2h', ...args);
  return [code, stderr];
};

/** Processes in which the target runs functions. */
function workers(): number[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid,args'], { encoding: 'utf8' });
  const lines = table.split('\n').filter((line) => line.includes(walkers.target.folder) && line.includes('_worker.js'));
  return lines.map((line) => Number(line.trim().split(/\s+/)[0]));
}

test('the journal loses no event when its function is killed again and again', async () => {
  const publishing = walkers.publish(all);
  let kills = 0;
  for (let i = 0; i < 10; i++) {
    await sleep(150);
    for (const pid of workers()) {
      process.kill(pid, 'SIGKILL');
      kills++;
    }
  }
  await publishing;
  expect(kills).toBeGreaterThan(0);
  const kept = await walkers.journaled('step.taken', all.length);
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(once.keys()));
});

describe('a module that joined after the events', () => {
  beforeAll(() => walkers.join());

  test('is told of them by the plan, which sends nothing', async () => {
    const plan = await replay('--dry-run');
    expect(plan).toMatchObject({ code: 0, dryRun: true, events: 300, total: 300, emitted: 'held back' });
    expect(plan.subscribers).toEqual([
      expect.objectContaining({ name: 'note-steps', hears: 300, done: 0, first: 300, again: 0, emits: ['step.noted'] }),
    ]);
    expect((await walkers.traces('first')).size).toBe(0);
  });

  test('is not sent anything that nobody agreed to', async () => {
    expect(await refused()).toEqual([2, expect.stringMatching(/HR501.*300 messages would be sent/s)]);
    expect((await walkers.traces('first')).size).toBe(0);
  });

  test('handles each of them once and in order, and what it emits stays off the bus', async () => {
    expect(await replay('--yes')).toMatchObject({ code: 0, sent: 300, handled: 300, parked: 0, unfinished: 0 });
    expect(await walkers.traces('first')).toEqual(once);
    expect(await walkers.hashOf('first')).toBe(hashExpected(all));
    await walkers.publish(steps('mark', 1));
    await walkers.journaled('step.taken', 301);
    expect(await walkers.journal('step.noted')).toEqual([expect.objectContaining({ subject: 'mark-0' })]);
  });

  test('has nothing to do when it is replayed once more', async () => {
    expect(await replay('--yes', '--subject', 'w-*')).toMatchObject({ code: 0, total: 0, events: 300 });
    expect(await walkers.traces('first')).toEqual(new Map([...once, ['mark-0', 1]]));
  });

  test('rebuilds its books with --again, once for each name, also when two operators do it at once', async () => {
    const again = ['--yes', '--subject', 'w-*', '--only', 'note-steps', '--again', '--name', 'rebuild-1'];
    const both = await Promise.all([replay(...again), replay(...again)]);
    expect(both.map(({ code, parked, unfinished }) => [code, parked, unfinished])).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(await walkers.traces('rebuild-1')).toEqual(once);
    expect(await walkers.hashOf('rebuild-1')).toBe(hashExpected(all));
    expect(await replay(...again)).toMatchObject({ code: 0, total: 0 });
  });

  test('is interrupted by Ctrl-C, and goes on with the command that was named: nothing twice, nothing left out', async () => {
    const args = ['replay', '--from', '2h', '--subject', 'w-*', '--only', 'note-steps', '--again'];
    const { child, answer } = walkers.begin(...args, '--name', 'rebuild-2', '--rate', '60', '--yes', '--json');
    while ((await walkers.traces('rebuild-2')).size < 20) await sleep(100);
    child.kill('SIGINT');
    const { code, stdout } = await answer;
    const stopped = JSON.parse(stdout);
    expect([code, stopped.interrupted]).toEqual([130, true]);
    expect(stopped.handled).toBeLessThan(300);
    const words: string[] = stopped.goOn.replace('npx headrace ', '').replaceAll("'", '').split(' ');
    expect(words).toEqual(expect.arrayContaining(['--name', 'rebuild-2', '--again']));
    const rest = await walkers.cli(...words, '--json');
    expect(rest.code).toBe(0);
    expect(JSON.parse(rest.stdout).subscribers[0].done).toBeGreaterThanOrEqual(stopped.handled);
    expect(await walkers.traces('rebuild-2')).toEqual(once);
    expect(await walkers.hashOf('rebuild-2')).toBe(hashExpected(all));
  });

  test('speaks to the live bus with --emit', async () => {
    const args = ['--subject', 'w-3', '--only', 'note-steps', '--again', '--emit', '--name', 'rebuild-3', '--yes'];
    expect(await replay(...args)).toMatchObject({ code: 0, handled: 15, emitted: 'sent to the live bus' });
    const noted = await walkers.journaled('step.noted', 16);
    expect(noted.filter(({ subject }) => subject === 'w-3')).toHaveLength(15);
  });

  test.each([
    ['--again for everybody', ['--again'], 2, /HR501.*--only/s],
    ['a window that ends before it begins', ['--to', '3h'], 2, /HR501.*before it begins/s],
    ['a time that is none', ['--to', 'yesterday'], 2, /HR501.*yesterday/s],
    ['a window out of reach', ['--from', '90d'], 1, /HR520.*89 days/s],
    ['a module nobody knows', ['--only', 'note-step'], 1, /HR521.*Did you mean --only note-steps/s],
    ['events that were never there', ['--type', 'step.lost'], 1, /HR505/],
    ['a module that hears none of them', ['--type', 'step.noted', '--only', 'note-steps'], 1, /HR522.*hears none/s],
  ])('refuses %s', async (_, args, expected, text) => {
    expect(await refused('--yes', ...args)).toEqual([expected, expect.stringMatching(text)]);
  });
});

test('our matcher decides as the target does', async () => {
  const { eventbridge } = walkers.pipeline.clients;
  const event = { id: '1', account: '1', source: 's', time: '2026-01-01T00:00:00Z', region: 'r', resources: [] };
  for (const { name, pattern, detail, fits } of PATTERN_CASES) {
    const Event = JSON.stringify({ ...event, 'detail-type': 't', detail });
    const command = new TestEventPatternCommand({ EventPattern: JSON.stringify({ detail: pattern }), Event });
    const { Result } = await eventbridge.send(command);
    expect([name, Result]).toEqual([name, fits]);
  }
});

test('a module that has left the project is not replayed to', async () => {
  walkers.leave();
  expect(await refused('--only', 'note-steps', '--yes')).toEqual([
    1,
    expect.stringMatching(/HR521.*has left the project/s),
  ]);
});
