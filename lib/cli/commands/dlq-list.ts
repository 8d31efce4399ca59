import { command } from '../command';

/** Letters looked at in one queue, unless --limit says otherwise. */
const DEFAULT_LIMIT = 1000;

export const dlqList = command({
  name: 'dlq list',
  summary: 'List the dead letters, grouped by how they failed',
  details:
    'Looks at the letters and puts them back. A group has failed in one way: the same module, reason and error, and the same message but for ids, numbers and quoted values. The 8 digits before it name it in other commands: --group.',
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
    const { chooseMailboxes, groupLetters, groupLines, listBoxes, mailboxes } =
      require('../dead-letters') as typeof import('../dead-letters');
    const { noteMissing } = require('../deployed') as typeof import('../deployed');
    const pipeline = await connect();
    const all = mailboxes(pipeline, options.project);
    const boxes = chooseMailboxes(all, args.module);
    if (args.module === undefined) noteMissing(all, out);
    const limit = options.limit ?? DEFAULT_LIMIT;
    const { seen, failures } = await listBoxes(pipeline.clients.sqs, boxes, limit);
    const modules = seen
      .filter((box) => box.total > 0)
      .map(({ letters, ...box }) => ({ ...box, groups: groupLetters(letters) }));
    const total = seen.reduce((sum, box) => sum + box.total, 0);
    out.result({ total, modules, failures }, (list) => groupLines(list, out));
    return failures.length > 0 ? 1 : 0;
  },
});
