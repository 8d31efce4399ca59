import { command } from '../command';

export const dlqRedrive = command({
  name: 'dlq redrive',
  summary: 'Move dead letters back to their queue',
  details:
    'The event goes back as it came; what was noted about its failure is taken off. Repeats do no harm: the ledger drops them. Each letter is sent first and deleted then, by this command itself on every target, also where the queue could move its letters (StartMessageMoveTask): that would leave the notes of the failure on them.\n\nCtrl-C finishes the ten letters in hand and gives the others back; the same command goes on.',
  args: { module: { summary: 'whose letters; leave out with --id, --group or --all', optional: true } },
  options: {
    id: { kind: 'text', value: '<id>', summary: 'only this letter, by its id or that of its event' },
    group: { kind: 'text', value: '<group>', summary: 'only those that failed in this way: see dlq list' },
    all: { kind: 'flag', summary: 'the letters of every module' },
    rate: { kind: 'number', value: '<n>', from: 0.1, to: 1000, whole: false, summary: 'letters a second' },
    dryRun: { kind: 'flag', summary: 'say what would be moved, move nothing' },
    yes: { kind: 'flag', summary: 'do not ask' },
  },
  examples: [
    'npx headrace dlq redrive deploy-model --dry-run',
    'npx headrace dlq redrive --id 5f0c2a1e',
    'npx headrace dlq redrive --group 1a2b3c4d --yes',
    'npx headrace dlq redrive --all --rate 5 --yes',
  ],
  endsOnSignal: true,
  async run({ args, options, out, connect, confirm, signal }) {
    const dead = require('../dead-letters') as typeof import('../dead-letters');
    const { id, group, all, rate } = options;
    const selection = { module: args.module, id, group, all };
    dead.checkSelection(selection, 'moved');
    const pipeline = await connect();
    const { sqs } = pipeline.clients;
    const boxes = dead.chooseMailboxes(dead.mailboxes(pipeline, options.project), args.module);
    const plan = await dead.planSweeps(sqs, boxes, { selection, look: options.dryRun });
    const { sweeps, orphans } = dead.withoutOrphans(plan.sweeps, args.module);
    if (orphans.length > 0) out.note(`left alone, no longer in the project: ${orphans.join(', ')}`);
    const total = sweeps.reduce((sum, { count }) => sum + count, 0);
    const planned = dead.describePlan(sweeps, dead.listenedAt(options.project));
    const { failures, hidden } = plan;
    if (options.dryRun || total === 0) {
      out.result({ dryRun: options.dryRun, total, hidden, planned, failures, moved: 0 }, () => [
        ...(total === 0 ? ['No dead letters to move.'] : planned.map(dead.plannedLine)),
        ...dead.hiddenLines(hidden),
        ...dead.failureLines(failures),
      ]);
      return failures.length > 0 ? 1 : 0;
    }
    const free = total === 1 || options.yes;
    dead.refuseUnasked(total, free || (await confirm(`Move ${total} letters back to their queues?`)), 'moved');
    const onDone = (module: string, done: number) => out.progress(`${module}: ${done} moved`);
    const report = await dead.sweepAll({ sweeps, selection, rate, sqs, signal, onDone }, dead.redrive);
    const told = dead.withFailures(report, failures);
    const goOn = dead.commandLine('redrive', selection, { rate, target: options.target });
    const { done: moved, ...rest } = told;
    out.result({ dryRun: false, total, hidden, planned, moved, ...rest, ...(told.interrupted && { goOn }) }, () => [
      ...dead.sweepLines({ ...told, total }, { did: 'Moved', where: 'to the queue of', goOn }),
    ]);
    return dead.sweepExit(told);
  },
});
