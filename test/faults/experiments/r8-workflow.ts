import { setTimeout as sleep } from 'node:timers/promises';
import { rootOf } from '../../../lib/cli/runs';
import { random } from '../../../vision/rng';
import { type Experiment, type Run, scaled } from '../experiment';
import { PASS } from '../proxy/plan';
import { type Blow, blowsFor, blowsOfRun, KILLS_A_RUN, Trouble } from '../runs/blows';
import { TrainingLab } from '../runs/training-lab';

const PATIENCE_MS = 120_000;
const RESUME_SECONDS = 5;

interface Ended {
  readonly finished: boolean;
  readonly run: string;
  readonly trouble: Trouble;
  /** Seconds from each start of the target until the run went on. */
  readonly resumedAfter: readonly number[];
}

/** Trains on a dataset of its own while the blows fall, and waits for the end of the run. */
async function train(lab: TrainingLab, dataset: string, blows: readonly Blow[], seed: number): Promise<Ended> {
  lab.proxy.plan = () => PASS;
  lab.proxy.witness = () => undefined;
  await lab.holdOut(dataset);
  let stopAsked = false;
  const hands = {
    kill: (state: string) => lab.target.killWorkers(lab.functionOf(state)),
    stop: () => {
      stopAsked = true;
    },
  };
  const trouble = new Trouble(blows, hands, random(seed, 8));
  lab.proxy.plan = trouble.decide;
  lab.proxy.witness = trouble.witness;
  const resumedAfter: number[] = [];
  await lab.upload(dataset);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    if (stopAsked) {
      stopAsked = false;
      const seconds = await restart(lab, trouble);
      if (seconds !== undefined) resumedAfter.push(seconds);
    }
    const { run } = trouble;
    const state = run && (await stateOf(lab, run));
    if (run && state !== 'going' && !stopAsked) return { finished: state === 'finished', run, trouble, resumedAfter };
  }
  return { finished: false, run: trouble.run ?? 'none', trouble, resumedAfter };
}

async function stateOf(lab: TrainingLab, run: string): Promise<'finished' | 'going' | 'failed'> {
  const own = (await lab.runs()).filter(({ id }) => rootOf(id) === run);
  if (own.some(({ status }) => status === 'SUCCEEDED')) return 'finished';
  return own.some(({ status }) => status === 'RUNNING') ? 'going' : 'failed';
}

/** @returns seconds from the start of the target to the first call of the run, or undefined when it had ended before */
async function restart(lab: TrainingLab, trouble: Trouble): Promise<number | undefined> {
  const { readyAt, resumed } = await lab.restart();
  if (!trouble.run || !resumed.includes(trouble.run)) return undefined;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(5)) {
    if (trouble.heard >= readyAt) return (trouble.heard - readyAt) / 1000;
  }
  return PATIENCE_MS / 1000;
}

async function run({ scale, seed, log }: Omit<Run, 'lab'>) {
  const lab = new TrainingLab();
  try {
    await lab.open(log);
    return await measure({ lab, scale, seed, log });
  } finally {
    await lab.close();
  }
}

interface Measuring extends Omit<Run, 'lab'> {
  readonly lab: TrainingLab;
}

async function measure({ lab, scale, seed, log }: Measuring) {
  const draw = random(seed, 8);
  const kills = scaled(200, scale);
  const stops = scaled(20, scale);
  const undisturbed = await train(lab, 'calm', [], seed);
  const model = await lab.modelOf(undisturbed.run);
  const waiting = [...blowsFor('stop', stops, draw), ...blowsFor('kill', kills, draw)];
  const most = 2 * Math.ceil(kills / KILLS_A_RUN) + 2 * stops;
  const ended: Ended[] = [];
  const sums = { slices: 0, late: 0, otherModels: 0 };
  while (waiting.length > 0 && ended.length < most) {
    const one = await train(lab, `storm-${ended.length}`, blowsOfRun(waiting), seed + ended.length);
    waiting.push(...one.trouble.left);
    ended.push(one);
    const { slices, late } = await lab.lateCheckpoints(one.run);
    sums.slices += slices;
    sums.late += late;
    if ((await lab.modelOf(one.run)) !== model) sums.otherModels += 1;
    const { struck, repeated } = one.trouble;
    // What found no occasion at all will find none in another run.
    if (one.trouble.struck.length === 0) waiting.length = 0;
    log(
      `R8: run ${ended.length} ${one.finished ? 'finished' : 'DID NOT FINISH'} after ${struck.length} blows, ${repeated} repeated; ${waiting.length} blows left`,
    );
  }
  const struck = ended.flatMap(({ trouble }) => trouble.struck);
  const count = (kind: Blow['kind']) => struck.filter((blow) => blow.kind === kind).length;
  const resumedAfter = ended.flatMap((one) => one.resumedAfter);
  const finished = ended.filter((one) => one.finished).length;
  const repeated = ended.reduce((sum, { trouble }) => sum + trouble.repeated, 0);
  const slowest = Math.max(0, ...resumedAfter);
  const measured = {
    runs: ended.length,
    finished,
    kills: count('kill'),
    stops: count('stop'),
    places: new Set(struck.map(({ state, moment }) => `${state} ${moment}`)).size,
    slices: sums.slices,
    completed_repeated: repeated + sums.late,
    resumes: resumedAfter.length,
    slowest_resume_seconds: Math.round(slowest * 1000) / 1000,
    other_models: sums.otherModels,
  };
  const all = undisturbed.finished && finished === ended.length && count('kill') === kills && count('stop') === stops;
  const pass = all && measured.completed_repeated === 0 && sums.otherModels === 0 && slowest <= RESUME_SECONDS;
  return { measured, pass };
}

const experiment: Experiment = {
  id: 'R8',
  title: 'The training workflow, its function processes killed and the whole target stopped, at and inside every state',
  target: '100 % of runs finish, 0 completed slices repeated, resume within 5 s of restart, model hash equal',
  run,
};

export default experiment;
