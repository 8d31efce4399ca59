import { command } from '../command';

export const runsList = command({
  name: 'runs list',
  summary: 'List the newest runs',
  options: {
    limit: { kind: 'number', value: '<n>', from: 1, to: 1000, summary: 'how many (default: 20)' },
    status: {
      kind: 'choice',
      choices: ['running', 'succeeded', 'failed', 'timed_out', 'aborted'],
      summary: 'only these',
    },
  },
  examples: ['npx headrace runs list', 'npx headrace runs list --status failed --json'],
  async run({ options, out, connect }) {
    const { listRuns, withOutcomes, workflowsOf } = require('../runs') as typeof import('../runs');
    const { runListLines } = require('../runs/report') as typeof import('../runs/report');
    const { noteMissing } = require('../deployed') as typeof import('../deployed');
    const pipeline = await connect();
    noteMissing(workflowsOf(pipeline, options.project), out);
    const { limit = 20, status } = options;
    const runs = await listRuns(pipeline, options.project, status === undefined ? limit : 1000);
    const wanted = runs.filter((run) => status === undefined || run.status === status.toUpperCase()).slice(0, limit);
    const chosen = await withOutcomes(pipeline.clients.sfn, options.project, wanted);
    out.result({ runs: chosen }, () => runListLines(chosen, out));
  },
});
