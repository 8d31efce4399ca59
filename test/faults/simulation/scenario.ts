import { consume } from '../../../lib/runtime';
import { type Part, type Pipeline, type SimulateOptions, simulate } from '../../../lib/testkit';
import {
  countLogic,
  countReadings,
  doLogic,
  doTask,
  jobRequested,
  keepLatest,
  keepLogic,
  noteLogic,
  noteResult,
  planJob,
  planLogic,
  readingTaken,
  taskPlanned,
} from './modules';

type Options = SimulateOptions & { readonly seed: number };

/** Runs one of the small pipelines under the trial's faults, and checks what came of it beside the rules of every run. */
export function scenario(options: Options): Promise<Pipeline> {
  const each = [jobs, readings, results, uploads];
  return (each[options.seed % each.length] as typeof jobs)(options);
}

/** A job that fails at first is cut into two tasks, another can't be planned; every task is charged once. */
async function jobs(options: Options): Promise<Pipeline> {
  const pipeline: Pipeline = simulate([{ module: planJob, logic: planLogic }, tasks(() => pipeline)], options);
  const kinds = ['moody', 'bad'] as const;
  pipeline.publish(kinds.map((kind) => jobRequested.create({ job: kind, tasks: 2, kind })));
  await pipeline.run();
  const parked = pipeline.deadLetters().map(({ module, reason }) => `${module} ${reason}`);
  expectSame('dead letters', [...new Set(parked)].join(), 'plan-job poison');
  const charged = new Set(pipeline.effects.filter(({ kind }) => kind === 'own').map(({ token }) => token));
  expectSame('tasks charged', charged.size, 2);
  return pipeline;
}

/** Two sensors, each read in its order. */
async function readings(options: Options): Promise<Pipeline> {
  const pipeline = simulate([{ module: countReadings, logic: countLogic }], options);
  const sensors = { 's-1': 3, 's-2': 2 };
  for (const [sensor, last] of Object.entries(sensors)) {
    for (let count = 1; count <= last; count++) pipeline.publish(readingTaken.create({ sensor, count }));
  }
  await pipeline.run();
  for (const [sensor, last] of Object.entries(sensors)) {
    const counted = await pipeline.store('counts').get(`${sensor}.txt`);
    expectSame('readings in order', Buffer.from(counted).toString(), last === 3 ? '1 2 3' : '1 2');
  }
  return pipeline;
}

/** Results that were written are noted, by the event of the store and by that of the module. */
async function results(options: Options): Promise<Pipeline> {
  const parts = [tasks(() => pipeline), { module: noteResult, handler: consume(noteResult, noteLogic) }];
  const pipeline: Pipeline = simulate(parts, options);
  pipeline.publish(taskPlanned.create({ job: 'j', task: 'j-1' }));
  pipeline.put('results', 'by-hand.txt', 'done by hand');
  await pipeline.run();
  const notes = await pipeline.store('notes').list('');
  // One for each event; an object that was written again is told again.
  if (notes.length < 3) throw new Error(`only ${notes.length} notes`);
  return pipeline;
}

/** Uploads under two keys: the latest of each is kept, whatever comes when. */
async function uploads(options: Options): Promise<Pipeline> {
  const pipeline = simulate([{ module: keepLatest, logic: keepLogic }], options);
  for (const key of ['a', 'b', 'a', 'a', 'b']) pipeline.put('uploads', key, `upload of ${key}`);
  await pipeline.run();
  for (const [key, last] of [
    ['a', '4'],
    ['b', '5'],
  ] as const) {
    const kept = Buffer.from(await pipeline.store('latest').get(key)).toString();
    expectSame(`latest of ${key}`, kept.replaceAll(/^0+(.)0+$/g, '$1'), last);
  }
  return pipeline;
}

const tasks = (pipeline: () => Pipeline): Part => ({
  module: doTask,
  logic: doLogic((token) => pipeline().effect('charge', token)),
});

function expectSame(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${what}: ${String(got)} instead of ${String(wanted)}`);
}
