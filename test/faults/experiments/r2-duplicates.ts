import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../../../lib/contract';
import { toEnvelope } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { type Random, random } from '../../../vision/rng';
import type { Experiment } from '../experiment';
import { scaled } from '../experiment';
import { effectsBy, tally } from '../lab/effects';
import { untilEmpty } from '../lab/queues';
import { workRequested } from '../project/events/work-requested.v1';
import doWork from '../project/lambdas/do-work/module';

/** A copy that is late comes this long after the first delivery: past the lease and past the queue's visibility. */
const LATE_SECONDS = 6 * doWork.timeoutSeconds + 2;

interface Deliveries {
  readonly inTime: readonly Envelope[];
  readonly late: readonly Envelope[];
  readonly together: number;
}

/**
 * Each event once to five times. Of the further copies one in ten comes at the same moment as the first, in the same
 * batch or in the next; one in twenty late; the others anywhere after the first.
 */
function deliveriesOf(events: readonly Envelope[], next: Random): Deliveries {
  const first = events.map((event, at) => ({ event, at, copy: 'first' as Copy }));
  const copies = events.flatMap((event, i) =>
    Array.from({ length: Math.floor(next() * 5) }, () => {
      const copy = drawCopy(next());
      return { event, at: i + gapAfterFirst(copy, next, events.length - i), copy };
    }),
  );
  const ordered = [...first, ...copies].sort((a, b) => a.at - b.at);
  return {
    inTime: ordered.filter(({ copy }) => copy !== 'late').map(({ event }) => event),
    late: ordered.filter(({ copy }) => copy === 'late').map(({ event }) => event),
    together: copies.filter(({ copy }) => copy === 'together').length,
  };
}

type Copy = 'first' | 'late' | 'together' | 'later';

function drawCopy(drawn: number): Copy {
  if (drawn < 0.05) return 'late';
  return drawn < 0.15 ? 'together' : 'later';
}

/** Places between an event and its copy in the order of sending. */
function gapAfterFirst(copy: Copy, next: Random, left: number): number {
  if (copy === 'together') return next() < 0.5 ? 0 : 4;
  return next() * Math.max(20, left);
}

const experiment: Experiment = {
  id: 'R2',
  title: 'Every event delivered one to five times, also at once and late',
  target: '10,000 events, exactly 10,000 effects, and one event each from them',
  async run({ scale, seed, log, lab }) {
    await lab.open(log);
    const { pipeline } = lab;
    const names = Array.from({ length: scaled(10_000, scale) }, (_, i) => `r2-${i}`);
    const time = new Date();
    const events = names.map((work) => toEnvelope(workRequested.create({ work }), { id: work, time }));
    const { inTime, late, together } = deliveriesOf(events, random(seed, 2));
    const queues = [OUTPUT.queue('do-work'), OUTPUT.queue('count-done')].map((key) => pipeline.output(key));
    log(`R2: ${inTime.length + late.length} deliveries of ${events.length} events`);
    const patience = { timeoutSeconds: 300 + inTime.length / 5, log };
    await lab.publish(inTime);
    const firstDone = await untilEmpty(lab, queues, patience);
    await sleep(LATE_SECONDS * 1000);
    await lab.publish(late);
    const lastDone = await untilEmpty(lab, queues, patience);
    const settled = firstDone !== undefined && lastDone !== undefined;
    const own = tally(names, await effectsBy(lab, 'do-work', 'r2-'));
    const next = tally(names, await effectsBy(lab, 'count-done', 'r2-'));
    const measured = {
      events: events.length,
      deliveries: inTime.length + late.length,
      together,
      late: late.length,
      lost: own.lost,
      doubled: own.doubled,
      repeated_calls: own.repeatedCalls,
      next_module_lost: next.lost,
      next_module_doubled: next.doubled,
      ...(!settled && { unsettled: 'not over in time: what counts as lost may still have been in the queues' }),
    };
    const pass = settled && own.lost + own.doubled + own.repeatedCalls + next.lost + next.doubled === 0;
    return { measured, pass };
  },
};

export default experiment;
