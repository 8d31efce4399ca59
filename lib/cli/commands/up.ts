import { command } from '../command';
import type { ResumedRun } from '../runs';

export const up = command({
  name: 'up',
  summary: 'Start the local target and deploy the pipeline to it',
  details:
    'The target keeps running until npx headrace down, and comes back with its state: runs that the stop cut off go on by themselves. The first time it is installed into the cache folder.',
  options: {
    port: {
      kind: 'number',
      value: '<port>',
      from: 1024,
      to: 65_535,
      summary: 'port of the target (default: a free one)',
    },
    verbose: { kind: 'flag', summary: 'show the size of each function, and where the time went' },
  },
  examples: ['npx headrace up', 'npx headrace up --port 4566'],
  async run({ options, out, env }) {
    const { resolveTarget } = require('../../target') as typeof import('../../target');
    const { deploy, reportDeployment } = require('../deploy') as typeof import('../deploy');
    const { storeLines, storesIn } = require('../upload') as typeof import('../upload');
    const onProgress = (message: string) => out.progress(message);
    const target = resolveTarget(options.target, {
      root: options.project,
      env,
      keepAlive: true,
      keepState: true,
      ...(options.port !== undefined && { port: options.port }),
    });
    if (target.name === 'aws') {
      const { HeadraceError } = require('../../contract/errors') as typeof import('../../contract/errors');
      throw new HeadraceError('HR501', { what: 'AWS is always up.', next: 'npx headrace deploy --target aws' });
    }
    const { resumeInterrupted } = require('../runs') as typeof import('../runs');
    const { project, stack } = options;
    // Before the deployment, so that they wait no longer than they have to.
    let resumed: Awaited<ReturnType<typeof resumeInterrupted>> = [];
    const ready = target.start({ onProgress }).then(async () => {
      resumed = await resumeInterrupted({ target, project, stack });
      for (const run of resumed) out.note(resumedNote(run));
    });
    const deployment = await deploy({ project: options.project, target, stack: options.stack, onProgress, ready });
    out.result({ endpoint: target.endpoint, ...deployment, resumed }, (done) => [
      ...reportDeployment(done, out, options.verbose),
      `${out.style.green('running')}  ${target.name} at ${target.endpoint}`,
      '',
      ...storeLines(storesIn(done.outputs), out),
      '',
      out.style.dim('Try next:'),
      '  npx headrace events                            watch the bus',
      '  npx headrace publish <type> --example          put an event on it',
      '  npx headrace upload <store> <path>             put files into a store',
      '  npx headrace down                              stop the target',
    ]);
  },
});

function resumedNote({ run, skipped }: ResumedRun): string {
  return skipped === undefined
    ? `${run} was cut off when the target stopped: it goes on.`
    : `${run} was cut off when the target stopped, and is left alone: ${skipped}`;
}
