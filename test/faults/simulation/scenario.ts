import { type Pipeline, type SimulateOptions, simulate } from '../../../lib/testkit';
import {
  countLogic,
  countReadings,
  doLogic,
  doTask,
  jobRequested,
  noteLogic,
  noteResult,
  planJob,
  planLogic,
  readingTaken,
} from './modules';

/** Jobs of one run, and readings of one sensor. */
const JOBS = ['good', 'moody', 'bad'] as const;
const READINGS = 4;

/** Runs the pipeline once and checks what came of it, beside the rules that are always checked. */
export async function scenario(options: SimulateOptions): Promise<Pipeline> {
  const pipeline = simulate(
    [
      { module: planJob, logic: planLogic },
      { module: doTask, logic: doLogic((token) => pipeline.effect('charge', token)) },
      { module: countReadings, logic: countLogic },
      { module: noteResult, logic: noteLogic },
    ],
    options,
  );
  pipeline.publish(JOBS.map((kind, i) => jobRequested.create({ job: `j-${i}`, tasks: 1 + (i % 2), kind })));
  for (let count = 1; count <= READINGS; count++) pipeline.publish(readingTaken.create({ sensor: 's-1', count }));
  await pipeline.run();
  const counted = await pipeline.store('counts').get('s-1.txt');
  expectSame('readings in order', Buffer.from(counted).toString(), '1 2 3 4');
  const parked = pipeline.deadLetters().map(({ module, reason }) => `${module} ${reason}`);
  expectSame('dead letters', [...new Set(parked)].join(), 'plan-job poison');
  const charged = new Set(pipeline.effects.filter(({ kind }) => kind === 'own').map(({ token }) => token));
  expectSame('tasks charged', charged.size, 3);
  return pipeline;
}

function expectSame(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${what}: ${String(got)} instead of ${String(wanted)}`);
}
