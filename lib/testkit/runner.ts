import { HeadraceError } from '../contract';
import type { Source } from './source';
import type { Worker } from './worker';
import { START, type World } from './world';

// Kept: tests may replace timers.
const { setImmediate: soon, setTimeout: inRealMs } = globalThis;

/** One turn of the event loop: everything that was due is done afterwards. */
const turn = () => new Promise<void>((resolve) => soon(resolve));
const nap = () => new Promise<void>((resolve) => inRealMs(resolve, 1));

/** Turns and naps that something of the real world may take, such as reading a file; then it counts as hanging. */
const TURNS = 100;
const NAPS = 3_000;

/** Steps of one run, at most. */
const MOST_STEPS = 2_000_000;

const HOUR_MS = 3_600_000;

interface RunnerOptions {
  readonly seed: number;
  readonly maxHours: number;
}

/** Lets virtual time pass, step by step. */
export class Runner {
  readonly #world: World;
  readonly #sources: readonly Source[];
  readonly #options: RunnerOptions;

  constructor(world: World, sources: readonly Source[], options: RunnerOptions) {
    this.#world = world;
    this.#sources = sources;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { schedule, monitor } = this.#world;
    const began = schedule.now;
    for (let steps = 0; ; steps++) {
      const step = schedule.next();
      if (!step) break;
      if (steps > MOST_STEPS || schedule.now - began > this.#options.maxHours * HOUR_MS) throw this.#restless();
      step();
      if (this.#world.woke) await this.#settle();
      if (monitor.broken) break;
    }
    if (!monitor.broken) monitor.atEnd();
    if (monitor.broken) throw this.#brokenRule(monitor.broken);
  }

  /** Until all code waits for something of the simulation. */
  async #settle(): Promise<void> {
    this.#world.woke = false;
    await turn();
    for (let i = 0; ; i++) {
      const busy = this.#busy();
      if (!busy) return;
      if (i >= TURNS + NAPS) busy.hangs = true;
      else await (i < TURNS ? turn() : nap());
    }
  }

  #busy(): Worker | undefined {
    for (const { running } of this.#sources) {
      for (const worker of running) if (worker.waiting === 0 && !worker.hangs) return worker;
    }
    return undefined;
  }

  #brokenRule({ rule, how }: { readonly rule: string; readonly how: string }): HeadraceError {
    return new HeadraceError('HR701', {
      what: `A rule was broken with seed ${this.#options.seed}: ${rule}.`,
      got: how,
      next: 'pipeline.story() tells what happened; the same seed tells it again.',
    });
  }

  #restless(): HeadraceError {
    const waiting = [...this.#world.inboxes.values()].flatMap(({ module, queue }) =>
      queue.waiting.map(({ label }) => `${label} in ${module.name}`),
    );
    const hours = Math.round((this.#world.schedule.now - START) / HOUR_MS);
    return new HeadraceError('HR702', {
      what: `The pipeline did not come to rest with seed ${this.#options.seed} within ${hours} hours of its own time.`,
      got: waiting.slice(0, 10).join(', ') || 'no message waits',
      next: 'Look for modules that feed each other without an end; pipeline.story() tells what happened.',
    });
  }
}
