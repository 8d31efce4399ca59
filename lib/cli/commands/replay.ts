import { HeadraceError } from '../../contract/errors';
import { type CommonOptions, command } from '../command';
import { INTERRUPTED } from '../process-host';
import { projectFolder, stackName } from '../project-folder';

export const replay = command({
  name: 'replay',
  summary: 'Let subscribers handle events of the past',
  details: `Events come from the journal and go straight to the queues of their subscribers, those of one subject in order.
What a subscriber has done stays done; --again has one do it once more. What handling them emits is held back,
unless --emit sends it to the live bus. First the plan is shown, then asked. A replay that was interrupted goes on
when it is given the same --name and window`,
  options: {
    from: {
      kind: 'text',
      value: '<time>',
      summary: 'arrived at the journal from then on: ISO 8601, or 30m, 2h, 3d ago',
    },
    to: { kind: 'text', value: '<time>', summary: 'and before then (default: now)' },
    type: { kind: 'text', value: '<type>', summary: 'only events of this type; * stands for any text' },
    subject: { kind: 'text', value: '<subject>', summary: 'only events about this; * stands for any text' },
    only: { kind: 'text', value: '<module>', summary: 'only to this module or workflow' },
    again: { kind: 'flag', summary: 'what --only has done already too, each event once for each --name' },
    emit: { kind: 'flag', summary: 'send what they emit to the live bus' },
    rate: { kind: 'number', value: '<n>', from: 0.1, to: 10_000, whole: false, summary: 'messages a second' },
    name: { kind: 'text', value: '<name>', summary: 'name of the replay, which handlers see; the same one goes on' },
    dryRun: { kind: 'flag', summary: 'show the plan, send nothing' },
    yes: { kind: 'flag', summary: 'do not ask' },
  },
  examples: [
    'npx headrace replay --from 2h --dry-run',
    'npx headrace replay --from 2026-01-31T08:00Z --to 2026-01-31T09:00Z --only publish-report',
    'npx headrace replay --from 3d --only publish-report --again --rate 50 --name rebuild-1',
  ],
  endsOnSignal: true,
  async run({ options, out, cwd, connect, confirm, signal }) {
    const replays = require('../replay') as typeof import('../replay');
    const { noteMissing } = require('../deployed') as typeof import('../deployed');
    const wanted = replays.readOptions(options, new Date());
    const pipeline = await connect();
    const prepared = replays.prepare(wanted, options, { pipeline, folder: options.project });
    const { replay: meant, sources } = prepared;
    noteMissing(prepared, out);
    out.progress('reading the journal');
    const plan = await replays.planReplay(meant, sources);
    replays.refuseEmpty(plan);
    if (options.dryRun || plan.total === 0) {
      out.result({ dryRun: options.dryRun, ...plan }, () => replays.planLines(plan, out));
      return 0;
    }
    for (const line of replays.planLines(plan, out)) out.note(line);
    refuseUnasked(plan.total, options.yes || (await confirm(`Send ${plan.total} messages?`)));
    const ended = await replays.runReplay({
      ...sources,
      replay: meant,
      send: replays.senderFor(pipeline.clients.sqs, meant),
      rate: options.rate,
      signal,
      onProgress: (tally) => out.progress(replays.progressLine(plan, tally)),
    });
    const { type, subject, only, rate, again, emit } = options;
    const goOn = replays.commandToGoOn({
      ...wanted.window,
      name: wanted.name,
      texts: { type, subject, only, rate, ...whereAbouts(options, cwd) },
      flags: { again, emit },
    });
    const { total, interrupted, underWay } = ended;
    const subscribers = plan.subscribers.map((each) => ({ ...each, ...ended.subscribers[each.name] }));
    out.result(
      { dryRun: false, ...plan, ...total, subscribers, interrupted, underWay, ...(interrupted && { goOn }) },
      () => replays.endLines(ended, out),
    );
    if (interrupted) out.note(`Interrupted. What is done stays done; go on with:\n${goOn}`);
    if (interrupted) return INTERRUPTED;
    return total.parked + total.unfinished > 0 ? 1 : 0;
  },
});

/** The options that name the deployment, where they are not what they would be anyway. */
function whereAbouts({ target, project, stack }: CommonOptions, cwd: string) {
  return {
    target,
    ...(project !== projectFolder(undefined, cwd) && { project }),
    ...(stack !== stackName(undefined, project) && { stack }),
  };
}

function refuseUnasked(total: number, agreed: boolean): void {
  if (agreed) return;
  throw new HeadraceError('HR501', {
    what: `${total} messages would be sent; none was.`,
    next: 'Add --yes to send them, or --dry-run to see the plan only.',
  });
}
