import { command } from '../command';

/** Exit code of a command that was interrupted, as shells count it. */
const INTERRUPTED = 130;

export const demo = command({
  name: 'demo',
  summary: "Deploy the pipeline to a target of its own and play the project's story",
  details:
    'Starts a local target, deploys, watches the bus and plays demo/story.ts. At the end, and on Ctrl-C, nothing is left behind, unless --keep says so.',
  options: {
    full: { kind: 'flag', summary: 'with the whole data set' },
    keep: { kind: 'flag', summary: 'leave the local target running, for a look around' },
  },
  examples: ['npx headrace demo', 'npx headrace demo --full --keep', 'npx headrace demo --json'],
  endsOnSignal: true,
  async run({ options, out, env, signal }) {
    const { demo: play, Interrupted } = require('../demo') as typeof import('../demo');
    const { summaryLines } = require('../demo/summary') as typeof import('../demo/summary');
    const { project, stack, target, full, keep } = options;
    try {
      const result = await play({ project, stack, target, full, keep, out, env, signal });
      const { told, ...measured } = result;
      out.result({ ...told, ...measured }, () => summaryLines(result, { out, keep, target }));
      return 0;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      out.note(keep ? 'Stopped.' : 'Stopped; nothing was left behind.');
      return INTERRUPTED;
    }
  },
});
