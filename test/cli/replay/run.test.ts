import fc from 'fast-check';
import { runReplay } from '../../../lib/cli/replay';
import { patienceWith } from '../../../lib/cli/replay/in-flight';
import { gradeEssay } from '../../support/essays';
import { DONE, FRESH, GIVEN_UP, journalOf, type Past, replayOf, subscribers, World } from './past';

const run = (world: World, past: readonly Past[], over: Partial<Parameters<typeof runReplay>[0]> = {}) =>
  runReplay({
    journal: journalOf(...past),
    states: world.states,
    now: world.now,
    send: world.send,
    sleep: world.sleep,
    signal: new AbortController().signal,
    replay: replayOf(),
    ...over,
  });

const many = (count: number, subjects: number): Past[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${'x'.repeat(i % 3)}${i}`, essay: `e-${i % subjects}` }));

test('sends every event once and waits until it is handled', async () => {
  const world = new World();
  const past = many(700, 40);
  const ended = await run(world, past);
  expect(ended).toMatchObject({ interrupted: false, underWay: 0, total: { sent: 700, handled: 700, skipped: 0 } });
  expect([...world.sent].sort()).toEqual(past.map(({ id }) => id).sort());
});

test('never has two events of one subject and subscriber under way, and keeps their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 30 }), async (count, subjects) => {
      const world = new World();
      const past = many(count, subjects);
      await run(world, past);
      expect(Math.max(...world.most.values())).toBe(1);
      for (let subject = 0; subject < Math.min(subjects, count); subject++) {
        const own = past.filter(({ essay }) => essay === `e-${subject}`).map(({ id }) => id);
        expect(world.sent.filter((id) => own.includes(id))).toEqual(own);
      }
    }),
    { numRuns: 40 },
  );
});

test('subjects do not wait for each other', async () => {
  const world = new World();
  world.outcome = (id) => (id === 'slow' ? undefined : DONE);
  const controller = new AbortController();
  const onProgress = ({ handled }: { readonly handled: number }) => {
    if (handled === 10) controller.abort();
  };
  const past = [{ id: 'slow', essay: 'e-slow' }, ...many(10, 2)];
  const ended = await run(world, past, { signal: controller.signal, onProgress });
  expect(ended.total.handled).toBe(10);
});

test('passes over what is done, by an earlier run or by another replay', async () => {
  const world = new World();
  world.ledger.set('grade-essay#0', DONE);
  const ended = await run(world, [{ id: '0' }, { id: '1' }]);
  expect(world.sent).toEqual(['1']);
  expect(ended.total).toMatchObject({ sent: 1, handled: 1, skipped: 1 });
});

test('with --again asks for the record of this replay, not for that of the event', async () => {
  const world = new World('r-1');
  world.ledger.set('grade-essay#0', DONE);
  world.ledger.set('grade-essay#1@r-1', DONE);
  const ended = await run(world, [{ id: '0' }, { id: '1' }], { replay: replayOf({ again: true }) });
  expect(world.sent).toEqual(['0']);
  expect(ended.total).toMatchObject({ handled: 1, skipped: 1 });
});

test('goes on with the subject when an event is parked', async () => {
  const world = new World();
  world.outcome = (id) => (id === 'bad' ? GIVEN_UP : DONE);
  const ended = await run(world, [{ id: 'bad' }, { id: 'good' }]);
  expect(world.sent).toEqual(['bad', 'good']);
  expect(ended.total).toMatchObject({ handled: 1, parked: 1 });
});

test('an event that was parked long ago is sent, and waited for', async () => {
  const world = new World();
  world.delay = 100;
  world.ledger.set('grade-essay#bad', GIVEN_UP);
  expect((await run(world, [{ id: 'bad' }])).total).toMatchObject({ handled: 1, parked: 0 });
});

test('a record that was given back for a moment is no parked event', async () => {
  const world = new World();
  let looks = 0;
  world.outcome = () => {
    looks++;
    return { ...FRESH, fence: 2 };
  };
  world.onSleep = () => {
    if (looks > 0) world.ledger.set('grade-essay#a', DONE);
  };
  expect((await run(world, [{ id: 'a' }])).total).toMatchObject({ handled: 1, parked: 0 });
});

test('an event that is never finished lets the next one of its subject through in the end', async () => {
  const world = new World();
  world.outcome = (id) => (id === 'lost' ? undefined : DONE);
  const past = [{ id: 'lost' }, { id: 'next' }];
  const replay = replayOf({ subscribers: subscribers() });
  // Somebody else makes progress meanwhile.
  const busy = Array.from({ length: 3000 }, (_, i) => ({ id: `b${i}`, essay: 'busy' }));
  const ended = await run(world, [...past, ...busy], { replay });
  expect(ended.total).toMatchObject({ unfinished: 1, handled: 3001 });
  expect(world.sent.indexOf('next')).toBeGreaterThan(0);
});

test('stops when nothing is finished for as long as all attempts may take', async () => {
  const world = new World();
  world.outcome = () => undefined;
  const began = world.now().getTime();
  await expect(run(world, many(20, 5))).rejects.toThrow(/HR524.*grade-essay.*--name r-1/s);
  expect(world.sent).toHaveLength(5);
  expect(world.now().getTime() - began).toBeLessThan(2 * patienceWith(gradeEssay));
});

test('a signal ends it between two deliveries: what is under way is told, what is left is not sent', async () => {
  const world = new World();
  const controller = new AbortController();
  world.onSleep = () => {
    if (world.sent.length >= 6) controller.abort();
  };
  const ended = await run(world, many(100, 3), { signal: controller.signal });
  expect(ended.interrupted).toBe(true);
  expect(world.sent.length).toBeLessThan(20);
  expect(ended.total.handled + ended.underWay).toBe(ended.total.sent);
});

test('sends no faster than it was told to', async () => {
  const world = new World();
  const began = world.now().getTime();
  await run(world, many(100, 100), { rate: 10 });
  const seconds = (world.now().getTime() - began) / 1000;
  expect(100 / seconds).toBeLessThanOrEqual(10.5);
});
