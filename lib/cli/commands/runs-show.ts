import { command } from '../command';

export const runsShow = command({
  name: 'runs show',
  summary: 'Show the states of a run: what each took, decided, retried',
  args: { run: { summary: 'id of the run; the part after the workflow name will do' } },
  examples: ['npx headrace runs show 5d41402abc4b2a76', 'npx headrace runs show train-digits-5d41402abc4b2a76 --json'],
  async run({ args, options, out, connect }) {
    const { findRun, showRun } = require('../runs') as typeof import('../runs');
    const { runLines } = require('../runs/report') as typeof import('../runs/report');
    const pipeline = await connect();
    const run = await findRun(pipeline, options.project, args.run);
    out.result(await showRun(pipeline.clients.sfn, run), (details) => runLines(details, out));
  },
});
