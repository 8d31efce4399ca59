import { command } from '../command';

export const runsResume = command({
  name: 'runs resume',
  summary: 'Go on with a run that failed',
  details: 'The run keeps its id, and steps that are finished return at once: nothing is done twice.',
  args: { run: { summary: 'id of the run; the part after the workflow name will do' } },
  examples: ['npx headrace runs resume 5d41402abc4b2a76'],
  async run({ args, options, out, connect }) {
    const { findRun, listRuns, resumeRun } = require('../runs') as typeof import('../runs');
    const pipeline = await connect();
    const run = await findRun(pipeline, options.project, args.run);
    const all = await listRuns(pipeline, options.project, 1000);
    const resumed = await resumeRun(pipeline.clients.sfn, run, all);
    out.result(resumed, ({ id, way }) => [
      way === 'redrive' ? `Resumed ${id} from the state that failed.` : `Started ${id}, which goes on with ${run.id}.`,
      out.style.dim(`npx headrace runs show ${id}`),
    ]);
  },
});
