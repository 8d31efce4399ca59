import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../../vision/rng';
import { hashExpected, steps, Walkers } from '../../support/walkers';
import type { Experiment, Outcome, Run } from '../experiment';

const EVENTS = { ci: 300, small: 2_000, full: 10_000 } as const;
/** Replays of the same events at once. */
const REPLAYS = 3;
/** Longest time between the starts of two replays, milliseconds. */
const APART_MS = 2_000;

interface Book {
  /** Events without a trace. */
  readonly lost: number;
  /** Events with more than one. */
  readonly doubled: number;
  /** Traces beyond the first of an event. */
  readonly extra: number;
  readonly hash: string;
}

async function readBook(walkers: Walkers, book: string, ids: readonly string[]): Promise<Book> {
  const traces = await walkers.traces(book);
  const counts = [...traces.values()];
  return {
    lost: ids.filter((id) => !traces.has(id)).length,
    doubled: counts.filter((count) => count > 1).length,
    extra: counts.reduce((sum, count) => sum + count - 1, 0),
    hash: await walkers.hashOf(book),
  };
}

/** Several replays of the same events at once, to one module. @returns the exit codes */
function overlapping(walkers: Walkers, names: readonly string[], { starts, more }: Overlap): Promise<number[]> {
  return Promise.all(
    names.map(async (name, i) => {
      await sleep(starts[i] ?? 0);
      const args = ['replay', '--from', '3h', '--only', 'note-steps', '--name', name, '--yes', '--json', ...more];
      return (await walkers.cli(...args)).code;
    }),
  );
}

interface Overlap {
  /** When each begins, milliseconds after now. */
  readonly starts: readonly number[];
  readonly more: readonly string[];
}

/** A module joins after the events; several operators replay them to it at once, and then have it rebuild its books. */
export async function replayEvents({ scale, seed, log }: Omit<Run, 'lab'>): Promise<Outcome> {
  const walkers = new Walkers('r5-replay');
  const next = random(seed, 50);
  const starts = () => Array.from({ length: REPLAYS }, (_, i) => (i === 0 ? 0 : next() * APART_MS));
  try {
    await walkers.start();
    const events = steps('w', EVENTS[scale], { walkers: 100 });
    const ids = events.map(({ id }) => id);
    log(`R5: ${events.length} events`);
    await walkers.publish(events);
    const journaled = (await walkers.journaled('step.taken', events.length, 300)).length;
    await walkers.join();
    log(`R5: ${REPLAYS} replays at once`);
    const names = Array.from({ length: REPLAYS }, (_, i) => `first-${i}`);
    const codes = await overlapping(walkers, names, { starts: starts(), more: [] });
    const first = await readBook(walkers, 'first', ids);
    log(`R5: ${REPLAYS} operators rebuild`);
    const same = names.map(() => 'rebuild-1');
    codes.push(...(await overlapping(walkers, same, { starts: starts(), more: ['--again'] })));
    const rebuilt = await readBook(walkers, 'rebuild-1', ids);
    const expected = hashExpected(events);
    const noted = (await walkers.journal('step.noted')).length;
    const measured = {
      events: events.length,
      journaled,
      replays: codes.length,
      failed_replays: codes.filter((code) => code !== 0).length,
      lost: first.lost + rebuilt.lost,
      doubled: first.doubled + rebuilt.doubled,
      extra_effects: first.extra + rebuilt.extra,
      events_on_the_live_bus: noted,
      books_as_expected: String(first.hash === expected),
      rebuilt_hash_equal: String(rebuilt.hash === first.hash),
    };
    const { failed_replays, lost, doubled, extra_effects } = measured;
    const faults = failed_replays + lost + doubled + extra_effects + noted + events.length - journaled;
    return { measured, pass: faults === 0 && first.hash === expected && rebuilt.hash === expected };
  } finally {
    await walkers.stop();
  }
}

const experiment: Experiment = {
  id: 'R5',
  title: 'Three replays of the same events at once, to a module that joined after them; then a rebuild',
  target: '10,000 events, each handled once, no effect more, the hash of the rebuilt projection equal',
  run: replayEvents,
};

export default experiment;
