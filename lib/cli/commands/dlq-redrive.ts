import { command } from '../command';
import type { DeadLetter } from '../dead-letters';

export const dlqRedrive = command({
  name: 'dlq redrive',
  summary: 'Move dead letters back to their queue',
  details:
    'The event goes back as it came; what was noted about its failure is taken off. Repeats do no harm: the ledger drops them.',
  args: { module: { summary: 'whose letters; leave out with --id or --all', optional: true } },
  options: {
    id: { kind: 'text', value: '<id>', summary: 'only this letter, by its id or that of its event' },
    all: { kind: 'flag', summary: 'the letters of every module' },
    rate: { kind: 'number', value: '<n>', from: 0.1, to: 1000, whole: false, summary: 'letters a second' },
    dryRun: { kind: 'flag', summary: 'say what would be moved, move nothing' },
    yes: { kind: 'flag', summary: 'do not ask' },
  },
  examples: [
    'npx headrace dlq redrive deploy-model --dry-run',
    'npx headrace dlq redrive --id 5f0c2a1e',
    'npx headrace dlq redrive --all --rate 5 --yes',
  ],
  async run({ args, options, out, connect, confirm }) {
    const dead = require('../dead-letters') as typeof import('../dead-letters');
    const { id, rate } = options;
    dead.refuseVague(args.module, options.all, id);
    const pipeline = await connect();
    const { sqs } = pipeline.clients;
    const boxes = dead.chooseMailboxes(dead.mailboxes(pipeline, options.project), args.module);
    const moves = await dead.planMoves(sqs, boxes, id);
    const total = moves.reduce((sum, { count }) => sum + count, 0);
    const planned = moves.map(({ mailbox, count }) => ({ module: mailbox.module, count }));
    if (options.dryRun || total === 0) {
      out.result({ dryRun: options.dryRun, total, planned, moved: 0 }, () =>
        total === 0
          ? 'No dead letters to move.'
          : planned.map(({ module, count }) => `Would move ${count} to the queue of ${module}.`),
      );
      return 0;
    }
    const free = total === 1 || options.yes;
    dead.refuseUnasked(total, free || (await confirm(`Move ${total} letters back to their queues?`)));
    const modules: import('../dead-letters').Redriven[] = [];
    for (const { mailbox, there } of moves) {
      const move = {
        sqs,
        mailbox,
        atMost: there,
        ...(rate !== undefined && { rate }),
        ...(id !== undefined && { wanted: ({ letter }: { letter: DeadLetter }) => dead.isMeant(letter, id) }),
        onMoved: (moved: number) => out.progress(`${mailbox.module}: ${moved} moved`),
      };
      modules.push(await dead.redrive(move));
    }
    const moved = modules.reduce((sum, each) => sum + each.moved, 0);
    const refused = modules.reduce((sum, each) => sum + each.refused, 0);
    out.result({ dryRun: false, total, planned, moved, refused, modules }, () =>
      modules.map((each) => `Moved ${each.moved} to the queue of ${each.module}.`),
    );
    return refused > 0 ? 1 : 0;
  },
});
