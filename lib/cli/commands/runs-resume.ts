import { type Context, command } from '../command';

export const runsResume = command({
  name: 'runs resume',
  summary: 'Go on with a run that failed, or with all of them',
  details:
    'A run keeps its id, and steps that are finished return at once: nothing is done twice. --all takes every run that failed or timed out and leaves those that somebody stopped.',
  args: { run: { summary: 'id of the run; the part after the workflow name will do', optional: true } },
  options: {
    all: { kind: 'flag', summary: 'every run that failed or timed out' },
    dryRun: { kind: 'flag', summary: 'say which runs would be resumed, do nothing' },
  },
  examples: ['npx headrace runs resume 5d41402abc4b2a76', 'npx headrace runs resume --all --dry-run'],
  async run({ args, options, out, connect }) {
    const { run, all } = { run: args.run, all: options.all };
    if ((run === undefined) !== all) {
      const { HeadraceError } = require('../../contract/errors') as typeof import('../../contract/errors');
      throw new HeadraceError('HR501', {
        what: all ? 'Either one run or --all.' : 'Which run?',
        allowed: 'the id of one run, or --all',
        next: 'npx headrace runs list --status failed shows the runs that failed.',
      });
    }
    return run === undefined ? everyRun({ options, out, connect }) : oneRun({ options, out, connect }, run);
  },
});

type Needs = Pick<Context<object, { readonly dryRun: boolean }>, 'options' | 'out' | 'connect'>;

async function oneRun({ options, out, connect }: Needs, id: string): Promise<void> {
  const { findRun, listRuns, resumable, resumeRun } = require('../runs') as typeof import('../runs');
  const pipeline = await connect();
  const run = await findRun(pipeline, options.project, id);
  const all = await listRuns(pipeline, options.project, Number.POSITIVE_INFINITY);
  if (options.dryRun) {
    const would = resumable(all).some((each) => each.id === run.id) || run.status === 'ABORTED';
    out.result({ run: run.id, would }, () => `${run.id} ${would ? 'would be resumed' : 'needs no resuming'}.`);
    return;
  }
  out.result(await resumeRun(pipeline.clients.sfn, run, all), ({ id: name, way }) => [
    way === 'redrive'
      ? `Resumed ${name} from the state that failed.`
      : `Started ${name}, which goes on with ${run.id}.`,
    out.style.dim(`npx headrace runs show ${name}`),
  ]);
}

async function everyRun({ options, out, connect }: Needs): Promise<void> {
  const { listRuns, resumeAll } = require('../runs') as typeof import('../runs');
  const { resumedLines } = require('../runs/report') as typeof import('../runs/report');
  const pipeline = await connect();
  const all = await listRuns(pipeline, options.project, Number.POSITIVE_INFINITY);
  const runs = await resumeAll(pipeline.clients.sfn, all, { dryRun: options.dryRun });
  out.result({ runs, dryRun: options.dryRun }, () => resumedLines(runs, options.dryRun, out));
}
