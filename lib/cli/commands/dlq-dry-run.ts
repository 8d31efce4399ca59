import { command } from '../command';

export const dlqDryRun = command({
  name: 'dlq dry-run',
  summary: 'Run the event of a dead letter through its module on this machine, without effects',
  details:
    "Loads the module's handler from the project as it stands, so a correction can be tried before it is deployed. Reads go to the target; what would be written is listed: events, objects, runs, items. Functions given to `once` are not run: they return the result of an earlier attempt, or undefined, so what the handler makes of a new result can't be told. An ordered module is taken to be at this event's turn. What a handler does past its context, with clients of its own, is not held back.",
  args: { id: { summary: 'id of the letter or of the event in it; its first characters will do' } },
  examples: ['npx headrace dlq dry-run 5f0c2a1e', 'npx headrace dlq dry-run 5f0c2a1e --json'],
  async run({ args, options, out, connect }) {
    const dead = require('../dead-letters') as typeof import('../dead-letters');
    const { dryRun } = require('../dead-letters/dry-run') as typeof import('../dead-letters/dry-run');
    const { loadHandler } = require('../dead-letters/load-handler') as typeof import('../dead-letters/load-handler');
    const { dryRunLines, tellDryRun } =
      require('../dead-letters/dry-run-report') as typeof import('../dead-letters/dry-run-report');
    const pipeline = await connect();
    const { boxes } = dead.mailboxes(pipeline, options.project);
    const { letter, mailbox } = await dead.findLetter(pipeline.clients.sqs, boxes, args.id);
    dead.refuseOrphaned(mailbox);
    const run = await dryRun(letter, {
      ...loadHandler(options.project, mailbox.module),
      clients: pipeline.clients,
      env: await dead.functionEnvironment(pipeline, mailbox),
    });
    const told = tellDryRun(letter, run, dead.listenedAt(options.project));
    out.result(told, (each) => dryRunLines(each, out));
    return run.verdict === 'Handled' || run.verdict === 'Duplicate' ? 0 : 1;
  },
});
