import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment, Run, Scale } from '../experiment';
import { MUTANTS, type Mutant } from '../mutants';
import { bundle } from '../simulation/bundle';
import type { TrialsAnswer, TrialsRequest } from '../simulation/trials';

/** Seeds of one run. */
const SEEDS: Readonly<Record<Scale, number>> = { ci: 10_000, small: 100_000, full: 1_000_000 };

/** Processes at once. */
const PROCESSES = 2;

/** Seeds of one process: a new one begins with a small heap. */
const SEEDS_A_PROCESS = 5_000;

/** Seeds in which a planted bug has to be found. */
const SEEDS_A_MUTANT = 10_000;

const REPEATS = 100;

/** Runs trials in a process of their own. */
function trials(script: string, request: TrialsRequest, progress: (seeds: number) => void = () => undefined) {
  return new Promise<TrialsAnswer>((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-semi-space-size=64', script, JSON.stringify(request)]);
    let answer = '';
    let complaint = '';
    child.stdout.on('data', (text) => (answer += String(text)));
    child.stderr.on('data', (text) => {
      for (const line of String(text).split('\n').filter(Boolean)) {
        if (/^\d+$/.test(line)) progress(Number(line));
        else complaint += `${line}\n`;
      }
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(answer) as TrialsAnswer);
      else reject(new Error(`trials from ${request.from} ended with ${code}: ${complaint}`));
    });
  });
}

/** Does the work of a list, some at once. */
async function atOnce<T, R>(list: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const waiting = list.map((each, i) => ({ each, i }));
  const done: R[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) done[next.i] = await work(next.each);
  };
  await Promise.all(Array.from({ length: PROCESSES }, worker));
  return done;
}

interface Found {
  readonly mutant: Mutant;
  readonly answer: TrialsAnswer;
  readonly script: string;
}

async function hunt(folder: string, { seed, log }: Pick<Run, 'seed' | 'log'>): Promise<Found[]> {
  return atOnce(MUTANTS, async (mutant) => {
    const script = join(folder, `mutant-${MUTANTS.indexOf(mutant)}.js`);
    await bundle(script, mutant);
    const answer = await trials(script, { from: seed, count: SEEDS_A_MUTANT });
    const { failure } = answer;
    log(`R9: ${failure ? `found with seed ${failure.seed}` : 'NOT FOUND'}: ${mutant.name}`);
    return { mutant, answer, script };
  });
}

async function search(folder: string, { scale, seed, log }: Pick<Run, 'scale' | 'seed' | 'log'>) {
  const script = join(folder, 'trials.js');
  await bundle(script);
  const count = SEEDS[scale];
  const starts = Array.from({ length: Math.ceil(count / SEEDS_A_PROCESS) }, (_, i) => i * SEEDS_A_PROCESS);
  const began = Date.now();
  let done = 0;
  const answers = await atOnce(starts, async (start) => {
    const size = Math.min(SEEDS_A_PROCESS, count - start);
    const answer = await trials(script, { from: seed + start, count: size, shrink: true });
    done += answer.seeds;
    log(`R9: ${done} of ${count} seeds`);
    if (answer.failure) log(`R9: ${answer.failure.message}`);
    return answer;
  });
  const seconds = (Date.now() - began) / 1000;
  const faults = answers.reduce((sum, answer) => sum + answer.faults, 0);
  return { broken: answers.filter(({ failure }) => failure).length, faults, seeds: done, seconds };
}

async function run({ scale, seed, log }: Omit<Run, 'lab'>) {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-r9-'));
  try {
    const searched = await search(folder, { scale, seed, log });
    const hunted = await hunt(folder, { seed, log });
    const found = hunted.filter(({ answer }) => answer.failure);
    const [first] = found;
    const repeat = { seed: first?.answer.failure?.seed ?? seed, times: REPEATS };
    const replayed = await trials(first?.script ?? join(folder, 'trials.js'), { from: 0, count: 0, repeat });
    const measured = {
      seeds: searched.seeds,
      faults: searched.faults,
      rules_broken: searched.broken,
      seconds: Math.round(searched.seconds),
      seeds_a_minute: Math.round((searched.seeds / searched.seconds) * 60),
      planted_bugs_found: `${found.length} of ${MUTANTS.length}`,
      replayed_the_same: `${replayed.same} of ${REPEATS}`,
    };
    const whole = searched.seeds === SEEDS[scale] && searched.broken === 0;
    return { measured, pass: whole && found.length === MUTANTS.length && replayed.same === REPEATS };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const experiment: Experiment = {
  id: 'R9',
  title: 'The simulator: crashes, lost answers, throttles, duplicates and delays at every await',
  target: `10,000 seeds in CI and 1,000,000 in full: no rule broken; a failing seed replays ${REPEATS} of ${REPEATS} times; every planted bug is found`,
  run,
};

export default experiment;
