import { command } from '../command';

export const deploy = command({
  name: 'deploy',
  summary: 'Deploy the pipeline to a running target',
  details:
    'Synthesizes the app that cdk.json names and deploys it. On aws it shows the differences first and asks. The target is prepared (cdk bootstrap) where that was never done.',
  options: {
    yes: { kind: 'flag', summary: 'on aws: do not ask' },
    verbose: { kind: 'flag', summary: 'show the size of each function, and where the time went' },
  },
  examples: [
    'npx headrace deploy',
    'npx headrace deploy --target aws',
    'npx headrace deploy --target aws --yes --json',
  ],
  async run({ options, out, env, confirm, interactive }) {
    const { attach } = require('../pipeline') as typeof import('../pipeline');
    const { approveBy, deploy, reportDeployment } = require('../deploy') as typeof import('../deploy');
    const { discover, graphOf } = require('../../module') as typeof import('../../module');
    const { cycleLines } = require('../graph/cycles') as typeof import('../graph/cycles');
    const { cycles } = graphOf(discover(options.project));
    const target = await attach({ ...options, env });
    const approve = approveBy({ target, yes: options.yes, interactive, out, confirm });
    const deployment = await deploy({
      project: options.project,
      target,
      stack: options.stack,
      onProgress: (message) => out.progress(message),
      ...(approve && { approve }),
    });
    out.result({ ...deployment, cycles }, (done) => [
      ...reportDeployment(done, out, options.verbose),
      ...(done.deployed ? cycleLines(cycles, out.style) : []),
    ]);
    return deployment.deployed ? 0 : 1;
  },
});
