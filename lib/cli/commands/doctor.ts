import { command } from '../command';

export const doctor = command({
  name: 'doctor',
  summary: 'Check what the pipeline and its target need',
  options: {
    gaps: {
      kind: 'flag',
      summary: 'list what the target does otherwise than AWS; without a running one, what the local one does',
    },
  },
  examples: ['npx headrace doctor', 'npx headrace doctor --gaps', 'npx headrace doctor --target aws --json'],
  async run({ options, out, env }) {
    const { examine, doctorLines } = require('../doctor') as typeof import('../doctor');
    const { GAPS } = require('../../target') as typeof import('../../target');
    const { checks, target, outputs } = await examine({ ...options, env });
    const { storesIn } = require('../upload') as typeof import('../upload');
    const { version } = require('headrace/package.json') as { version: string };
    const cdk = require('aws-cdk-lib/package.json') as { version: string };
    const versions = { headrace: version, node: process.versions.node, 'aws-cdk-lib': cdk.version };
    const diagnosis = { checks, versions, stores: storesIn(outputs), gaps: target?.gaps ?? (options.gaps ? GAPS : []) };
    out.result(diagnosis, (found) => doctorLines(found, out, options.gaps));
    return checks.some(({ result }) => result === 'fail') ? 1 : 0;
  },
});
