import { HeadraceError } from '../contract';
import type { Pipeline, SimulateOptions } from './pipeline';

/** Options for the pipeline of one trial: `simulate(parts, trial)`, or with some of your own beside them. */
export type Trial = SimulateOptions & { readonly seed: number };

/** Builds a pipeline with the trial's options, runs it, and throws when something is wrong. */
export type Scenario = (trial: Trial) => Promise<void>;

export interface Explored {
  readonly seeds: number;
  /** Faults that were injected in all. */
  readonly faults: number;
}

/** Runs of a shrinking, at most. */
const MOST_RUNS = 300;

/**
 * Runs a scenario for many seeds under all faults. The first failure is told as short as it can be: the run is repeated
 * without its faults, one after another, as long as it still fails.
 *
 * @param seeds - how many, from 1; or which ones
 * @throws HeadraceError HR706 with the seed, what failed, and the story
 */
export async function explore(seeds: number | Iterable<number>, scenario: Scenario): Promise<Explored> {
  let count = 0;
  let faults = 0;
  for (const seed of typeof seeds === 'number' ? upTo(seeds) : seeds) {
    const tried = await attempt(scenario, seed);
    if (tried.error !== undefined) throw tellShort(await shrink(scenario, tried));
    count++;
    faults += tried.faults.length;
  }
  return { seeds: count, faults };
}

function* upTo(seeds: number): Iterable<number> {
  for (let seed = 1; seed <= seeds; seed++) yield seed;
}

interface Tried {
  readonly seed: number;
  /** Undefined when all was well. */
  readonly error: unknown;
  readonly faults: readonly string[];
  readonly story: string;
}

async function attempt(scenario: Scenario, seed: number, only?: ReadonlySet<string>): Promise<Tried> {
  const made: Pipeline[] = [];
  let error: unknown;
  try {
    await scenario({ seed, faults: 'all', ...(only && { only }), made: (pipeline) => made.push(pipeline) });
  } catch (thrown) {
    error = thrown ?? new Error('the scenario threw nothing');
  }
  const failed = error !== undefined;
  return {
    seed,
    error,
    faults: made.flatMap((pipeline) => pipeline.faults),
    story: failed ? made.map((pipeline) => pipeline.story()).join('\n\n') : '',
  };
}

/** What failed, without what differs from run to run. */
function kindOf(error: unknown): string {
  if (error instanceof HeadraceError) return `${error.code} ${error.details.what}`;
  return error instanceof Error ? error.name : typeof error;
}

/** Leaves out halves, quarters, ... and at last single faults, while the same thing still fails. */
async function shrink(scenario: Scenario, failing: Tried): Promise<Tried> {
  let best = failing;
  let runs = 0;
  for (let size = Math.ceil(best.faults.length / 2); size >= 1 && runs < MOST_RUNS; ) {
    let shorter = false;
    for (let from = 0; from < best.faults.length && runs < MOST_RUNS; runs++) {
      const rest = best.faults.filter((_, i) => i < from || i >= from + size);
      const tried = await attempt(scenario, failing.seed, new Set(rest));
      if (tried.error !== undefined && kindOf(tried.error) === kindOf(failing.error)) {
        best = tried;
        shorter = true;
      } else from += size;
    }
    if (size === 1 && !shorter) break;
    size = Math.max(1, Math.floor(size / 2));
  }
  return best;
}

function tellShort({ seed, error, faults, story }: Tried): HeadraceError {
  const { message = String(error) } = error as Partial<Error>;
  return new HeadraceError('HR706', {
    what: `Seed ${seed} fails: ${message}\n\nIts shortest story, with ${faults.length} faults:\n\n${story}\n\n`,
    next: `Repeat it with simulate(parts, { seed: ${seed}, faults: 'all' }).`,
    cause: error,
  });
}
