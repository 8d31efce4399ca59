import { HeadraceError } from '../../contract/errors';
import { command } from '../command';

export const dlqDiscard = command({
  name: 'dlq discard',
  summary: 'Give dead letters up, with a reason',
  details:
    "Each letter is first written down whole, with the reason, who gave it up and when: in the journal's bucket (discarded/<module>/<letter>.json), or without a journal in .headrace/discarded/<day>.jsonl of the project. Only then it is deleted. An ordered module goes on with the next event of the subject.",
  args: { module: { summary: 'whose letters; leave out with --id or --group', optional: true } },
  options: {
    id: { kind: 'text', value: '<id>', summary: 'only this letter, by its id or that of its event' },
    group: { kind: 'text', value: '<group>', summary: 'only those that failed in this way: see dlq list' },
    reason: { kind: 'text', value: '<text>', summary: 'why they may be forgotten' },
    dryRun: { kind: 'flag', summary: 'say what would be discarded, discard nothing' },
    yes: { kind: 'flag', summary: 'do not ask' },
  },
  examples: [
    'npx headrace dlq discard --group 1a2b3c4d --reason "test uploads of Monday" --dry-run',
    'npx headrace dlq discard --id 5f0c2a1e --reason "sent by mistake" --yes',
  ],
  endsOnSignal: true,
  async run({ args, options, out, connect, confirm, signal }) {
    const dead = require('../dead-letters') as typeof import('../dead-letters');
    const { discover, OUTPUT } = require('../../module') as typeof import('../../module');
    const { id, group } = options;
    const reason = givenReason(options.reason, options.dryRun);
    const selection = { module: args.module, id, group, all: false };
    dead.checkSelection(selection, 'discarded');
    const pipeline = await connect();
    const { sqs } = pipeline.clients;
    const boxes = dead.chooseMailboxes(dead.mailboxes(pipeline, options.project), args.module);
    const { sweeps, total, hidden, failures } = await dead.planSweeps(sqs, boxes, { selection, look: options.dryRun });
    const planned = dead.describePlan(sweeps, dead.listenedAt(options.project));
    if (options.dryRun || total === 0) {
      out.result({ dryRun: options.dryRun, total, hidden, planned, failures, discarded: 0 }, () => [
        ...(total === 0 ? ['No dead letters to discard.'] : []),
        ...planned.map(({ module, count }) => `Would discard ${count} of ${module}.`),
        ...dead.hiddenLines(hidden),
        ...dead.failureLines(failures),
      ]);
      return failures.length > 0 ? 1 : 0;
    }
    const agreed = options.yes || (await confirm(`Discard ${total} letters for good?`));
    dead.refuseUnasked(total, agreed, 'discarded');
    const shelf = dead.discardShelf(pipeline, options.project);
    const modules = discover(options.project).modules.map(({ declared }) => declared);
    const ledger = pipeline.output(OUTPUT.ledger);
    const giveTurn = dead.giveTurnOf({ dynamodb: pipeline.clients.dynamodb, ledger, modules });
    const onDone = (module: string, done: number) => out.progress(`${module}: ${done} discarded`);
    const report = await dead.sweepAll({ sweeps, selection, sqs, signal, onDone }, (sweep) =>
      dead.discard({ ...sweep, reason, shelf, giveTurn }),
    );
    const told = dead.withFailures(report, failures);
    const goOn = dead.commandLine('discard', selection, { reason, target: options.target });
    const { done: discarded, ...rest } = told;
    const kept = shelf.place;
    out.result({ dryRun: false, total, hidden, discarded, kept, ...rest, ...(told.interrupted && { goOn }) }, () => [
      ...dead.sweepLines({ ...told, total }, { did: 'Discarded', where: 'of', goOn }),
      out.style.dim(`kept in ${kept}`),
    ]);
    return dead.sweepExit(told);
  },
});

function givenReason(reason: string | undefined, dryRun: boolean): string {
  const text = reason?.trim() ?? '';
  if (text !== '' || dryRun) return text;
  throw new HeadraceError('HR501', {
    what: 'Why may the letters be forgotten?',
    allowed: '--reason "..."',
    next: 'Say it in a few words: they are kept with the letters.',
  });
}
