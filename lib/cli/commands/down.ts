import { command } from '../command';

export const down = command({
  name: 'down',
  summary: 'Stop the local target; on aws, destroy the stack',
  details:
    'The local target keeps its state for the next up: stacks, messages, tables, objects; --forget drops it. On aws it lists what would be destroyed and refuses without --yes. Stores and ledger are kept unless the stack was deployed as ephemeral.',
  options: {
    yes: { kind: 'flag', summary: 'on aws: destroy the stack' },
    forget: { kind: 'flag', summary: 'on local: drop the state as well; the next up begins afresh' },
    dryRun: { kind: 'flag', summary: 'say what would be stopped or destroyed, do nothing' },
  },
  examples: [
    'npx headrace down',
    'npx headrace down --forget',
    'npx headrace down --target aws --dry-run',
    'npx headrace down --target aws --yes',
  ],
  async run({ options, out, env }) {
    const { stopLocal, destroyStack } = require('../take-down') as typeof import('../take-down');
    const { resolveTarget } = require('../../target') as typeof import('../../target');
    const target = resolveTarget(options.target, { root: options.project, env });
    const act = target.name === 'local' ? stopLocal : destroyStack;
    const { stack, yes, dryRun, forget } = options;
    return act({ target, stack, yes, dryRun, forget, out });
  },
});
