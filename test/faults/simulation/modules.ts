import * as z from 'zod';
import { defineEvent, NonRetriable, objectCreated } from '../../../lib/contract';
import { defineModule } from '../../../lib/module';
import type { Logic } from '../../../lib/runtime';

/** A small pipeline that uses all the runtime offers: jobs become tasks, tasks are done, their results are counted. */
export const jobRequested = defineEvent({
  type: 'job.requested',
  version: 1,
  summary: 'Somebody wants a job done',
  subject: 'job',
  schema: z.object({
    job: z.string(),
    tasks: z.number().int().positive(),
    /** `bad` can't be planned; `moody` fails at first. */
    kind: z.enum(['good', 'bad', 'moody']),
  }),
  example: { job: 'j-1', tasks: 2, kind: 'good' },
});

export const taskPlanned = defineEvent({
  type: 'task.planned',
  version: 1,
  summary: 'A job has this task',
  subject: 'task',
  schema: z.object({ job: z.string(), task: z.string() }),
  example: { job: 'j-1', task: 'j-1-1' },
});

export const taskDone = defineEvent({
  type: 'task.done',
  version: 1,
  summary: 'A task was done',
  subject: 'task',
  schema: z.object({ task: z.string(), charge: z.string() }),
  example: { task: 'j-1-1', charge: 'c-1' },
});

export const readingTaken = defineEvent({
  type: 'reading.taken',
  version: 1,
  summary: 'A sensor was read',
  subject: 'sensor',
  sequence: 'count',
  schema: z.object({ sensor: z.string(), count: z.number().int().positive() }),
  example: { sensor: 's-1', count: 1 },
});

export const planJob = defineModule({
  name: 'plan-job',
  summary: 'Cuts a job into tasks',
  on: [jobRequested],
  emits: [taskPlanned],
  stores: { plans: 'write' },
  retry: { attempts: 4, firstDelaySeconds: 2, factor: 2, maxDelaySeconds: 60 },
  timeoutSeconds: 10,
});

export const planLogic: Logic<typeof planJob> = async ({ data }, { stores, attempt }) => {
  const { job, tasks, kind } = data;
  if (kind === 'bad') throw new NonRetriable('the job makes no sense');
  await stores.plans.putJson(`${job}.json`, { job, tasks });
  if (kind === 'moody' && attempt === 1) throw new Error('not in the mood');
  return Array.from({ length: tasks }, (_, i) => taskPlanned.create({ job, task: `${job}-${i + 1}` }));
};

export const doTask = defineModule({
  name: 'do-task',
  summary: 'Does a task, which is charged once',
  on: [taskPlanned],
  emits: [taskDone],
  stores: { results: 'write' },
  batchSize: 2,
  retry: { attempts: 2, firstDelaySeconds: 1, factor: 2, maxDelaySeconds: 30 },
  timeoutSeconds: 30,
  heartbeatSeconds: 3,
});

/** @param charge - the service that is called once for each task */
export const doLogic =
  (charge: (token: string) => Promise<void>): Logic<typeof doTask> =>
  async ({ data: { task } }, { stores, once }) => {
    const receipt = await once('charge', async (token) => {
      await charge(token);
      return `charge of ${task}`;
    });
    await stores.results.put(`${task}.txt`, receipt);
    return [taskDone.create({ task, charge: receipt })];
  };

export const countReadings = defineModule({
  name: 'count-readings',
  summary: 'Counts the readings of a sensor in their order',
  on: [readingTaken],
  emits: [],
  stores: { counts: 'write' },
  ordered: true,
  timeoutSeconds: 10,
});

export const countLogic: Logic<typeof countReadings> = async ({ data: { sensor, count } }, { stores }) => {
  const key = `${sensor}.txt`;
  const found = await stores.counts.find(key);
  const lines = found ? Buffer.from(found.bytes).toString().split(' ') : [];
  // A repetition after a crash finds its own line; a put that comes late finds another object.
  if (lines.includes(String(count))) return [];
  const written = await stores.counts.replace(key, [...lines, count].join(' '), found?.etag);
  if (!written) throw new Error('somebody else wrote the counts');
  return [];
};

export const noteResult = defineModule({
  name: 'note-result',
  summary: 'Notes every result that was written',
  on: [objectCreated('results'), taskDone],
  emits: [],
  stores: { results: 'read', notes: 'write' },
  batchSize: 5,
  timeoutSeconds: 10,
});

export const noteLogic: Logic<typeof noteResult> = async ({ id, type, subject }, { stores }) => {
  await stores.notes.put(id, `${type} ${subject}`);
  return [];
};

export const keepLatest = defineModule({
  name: 'keep-latest',
  summary: 'Keeps what was uploaded last under each key',
  on: [objectCreated('uploads')],
  emits: [],
  stores: { uploads: 'read', latest: 'write' },
  ordered: true,
  batchSize: 3,
  timeoutSeconds: 10,
});

export const keepLogic: Logic<typeof keepLatest> = async ({ subject, sequence }, { stores }) => {
  const found = await stores.latest.find(subject);
  const before = found ? Buffer.from(found.bytes).toString() : '';
  if (before >= String(sequence?.value)) return [];
  const written = await stores.latest.replace(subject, String(sequence?.value), found?.etag);
  if (!written) throw new Error('somebody else keeps it');
  return [];
};
