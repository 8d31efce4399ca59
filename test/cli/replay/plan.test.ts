import { planReplay, refuseEmpty, subscribersOf, windowOf } from '../../../lib/cli/replay';
import { commandToGoOn, replayName } from '../../../lib/cli/replay/replay-name';
import { messageOf } from '../../../lib/cli/replay/send';
import { OUTPUT } from '../../../lib/module';
import { NOW } from '../../support/clock';
import { DONE, entryOf, FRESH, journalOf, outputs, project, replayOf, subscribers } from './past';

const DAY = 86_400_000;

const states = (done: readonly string[]) => async () => (key: string) => (done.includes(key) ? DONE : FRESH);

const sources = (journal: ReturnType<typeof journalOf>, done: readonly string[] = []) => ({
  journal,
  states: states(done),
  now: () => NOW,
});

describe('the plan', () => {
  test('counts for each subscriber what its rules let through, what is done, and what will be done first', async () => {
    const journal = journalOf({ id: 'a' }, { id: 'b', data: { words: 900 } }, { id: 'c' });
    const replay = replayOf({ subscribers: subscribers() });
    const plan = await planReplay(replay, sources(journal, ['grade-essay#a']));
    expect(plan).toMatchObject({ events: 3, total: 3, emitted: 'held back' });
    expect(plan.subscribers).toEqual([
      { name: 'grade-essay', hears: 3, done: 1, first: 2, again: 0, refused: {}, emits: ['essay.graded'] },
      { name: 'read-long', hears: 1, done: 0, first: 1, again: 0, refused: {}, emits: [] },
    ]);
  });

  test('with --again counts what was done as to be done again, but for what this replay has done', async () => {
    const journal = journalOf({ id: 'a' }, { id: 'b' }, { id: 'c' });
    const done = ['grade-essay#a', 'grade-essay#b', 'grade-essay#b@r-1'];
    const plan = await planReplay(replayOf({ again: true, emit: true }), sources(journal, done));
    expect(plan).toMatchObject({ total: 2, emitted: 'sent to the live bus' });
    expect(plan.subscribers[0]).toMatchObject({ hears: 3, done: 1, first: 1, again: 1 });
  });

  test('does not send what the subscriber would refuse: data that does not fit, or what is too old', async () => {
    const old = new Date(NOW.getTime() - 90 * DAY);
    const journal = journalOf({ id: 'a', data: { words: 'many' } }, { id: 'b', time: old }, { id: 'c' });
    const plan = await planReplay(replayOf(), sources(journal));
    expect(plan.subscribers[0]).toMatchObject({ hears: 3, first: 1, refused: { HR102: 1, HR310: 1 } });
    expect(plan.total).toBe(1);
  });

  test('fails when there are no events, or when nobody hears them', async () => {
    const none = await planReplay(replayOf(), sources(journalOf()));
    expect(() => refuseEmpty(none)).toThrow(/HR505/);
    const deaf = replayOf({ subscribers: subscribers('read-long') });
    const unheard = await planReplay(deaf, sources(journalOf({ id: 'a' })));
    expect(() => refuseEmpty(unheard)).toThrow(/HR522.*read-long hears none of the 1 events/s);
  });
});

describe('subscribers', () => {
  test('fails for a name nobody has, and tells one that has left the project from one that never was', () => {
    expect(() => subscribersOf(project, outputs, 'grade-esay')).toThrow(/HR521.*No module.*--only grade-essay/s);
    const left = { ...outputs, [OUTPUT.queue('mark-essay')]: 'queue/mark' };
    expect(() => subscribersOf(project, left, 'mark-essay')).toThrow(/HR521.*has left the project/s);
  });

  test('fails for one that is not deployed, and leaves it out when all are meant', () => {
    const some = { [OUTPUT.queue('grade-essay')]: 'queue/grade' };
    expect(() => subscribersOf(project, some, 'read-long')).toThrow(/HR502.*read-long is not deployed/s);
    expect(subscribersOf(project, some, undefined).missing).toEqual(['read-long']);
    expect(() => subscribersOf(project, {}, undefined)).toThrow(/HR502/);
  });
});

describe('the window', () => {
  const at = (from: string, to?: string) => windowOf({ from, to }, NOW);

  test.each([
    ['90s', 90_000],
    ['30m', 30 * 60_000],
    ['2h', 2 * 3_600_000],
    ['89d', 89 * DAY],
  ])('%s is so long ago', (from, ms) => {
    expect(NOW.getTime() - at(from).from.getTime()).toBe(ms);
    expect(at(from).to).toEqual(NOW);
  });

  test('takes ISO times', () => {
    const [from, to] = [new Date(NOW.getTime() - DAY).toISOString(), new Date(NOW.getTime() - 1).toISOString()];
    expect(at(from, to)).toEqual({ from: new Date(from), to: new Date(to) });
  });

  test('is refused when it is no time, ends before it begins, is not there, or begins too long ago', () => {
    for (const text of ['yesterday', '5', '2w', '2026-13-45', 'h', '999999999d'])
      expect(() => at(text)).toThrow(/HR501/);
    expect(() => at('1h', '2h')).toThrow(/HR501.*before it begins/s);
    expect(() => windowOf({ from: undefined, to: undefined }, NOW)).toThrow(/HR501.*--from/s);
    expect(() => at('90d')).toThrow(/HR520.*89 days/s);
  });
});

test('a message is the event as it was, with the name of the replay and what it wants', () => {
  const entry = entryOf({ id: 'a' });
  const plain = JSON.parse(messageOf({ entry }, { name: 'r-1', again: false, emit: false }));
  expect(plain).toEqual({ ...entry.event, 'replay-name': 'r-1' });
  const more = JSON.parse(messageOf({ entry }, { name: 'r-1', again: true, emit: true }));
  expect(more).toEqual({ ...entry.event, 'replay-name': 'r-1', 'replay-again': true, 'replay-emit': true });
});

test('a replay has the name that was given, or one of its own', () => {
  expect(replayName('rebuild_1', NOW)).toBe('rebuild_1');
  expect(replayName(undefined, NOW)).not.toBe(replayName(undefined, NOW));
  expect(() => replayName('no name', NOW)).toThrow(/HR501/);
});

test('the command that goes on has the same window and name, quoted for the shell', () => {
  const line = commandToGoOn({
    name: 'r-1',
    from: new Date('2026-01-01T00:00:00Z'),
    to: new Date('2026-01-02T00:00:00Z'),
    texts: { subject: "it's *", only: 'grade-essay', rate: undefined },
    flags: { again: true, emit: false },
  });
  expect(line).toBe(
    "npx headrace replay --from 2026-01-01T00:00:00.000Z --to 2026-01-02T00:00:00.000Z --name r-1 --subject 'it'\\''s *' --only grade-essay --again --yes",
  );
});
