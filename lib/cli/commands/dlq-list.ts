import { command } from '../command';

/** Letters looked at in one queue, unless --limit says otherwise. */
const DEFAULT_LIMIT = 1000;

export const dlqList = command({
  name: 'dlq list',
  summary: 'List the dead letters by module and error',
  details: 'Looks at the letters and puts them back.',
  args: { module: { summary: 'only this module', optional: true } },
  options: {
    limit: {
      kind: 'number',
      value: '<n>',
      from: 1,
      to: 100_000,
      summary: `letters to look at in each queue (default: ${DEFAULT_LIMIT})`,
    },
  },
  examples: ['npx headrace dlq list', 'npx headrace dlq list deploy-model --json'],
  async run({ args, options, out, connect }) {
    const { chooseMailboxes, countLetters, groupLetters, groupLines, mailboxes, peek } =
      require('../dead-letters') as typeof import('../dead-letters');
    const { noteMissing } = require('../deployed') as typeof import('../deployed');
    const pipeline = await connect();
    const { sqs } = pipeline.clients;
    const all = mailboxes(pipeline, options.project);
    const boxes = chooseMailboxes(all, args.module);
    if (args.module === undefined) noteMissing(all, out);
    const found = await Promise.all(
      boxes.map(async (box) => ({
        module: box.module,
        ...(await countLetters(sqs, box)),
        groups: groupLetters(await peek(sqs, box, options.limit ?? DEFAULT_LIMIT)),
      })),
    );
    const total = found.reduce((sum, box) => sum + box.total, 0);
    out.result({ total, modules: found.filter((box) => box.total > 0) }, (list) => groupLines(list, out));
  },
});
