import { command } from '../command';

export const dlqShow = command({
  name: 'dlq show',
  summary: 'Show one dead letter: its error, its event, and what is wrong with it',
  details:
    'Checks the event against the contracts its module listens to now, and compares it field by field with the last good event of its type. Values of sensitive fields are withheld.',
  args: { id: { summary: 'id of the letter or of the event in it; its first characters will do' } },
  examples: ['npx headrace dlq show 5f0c2a1e', 'npx headrace dlq show 5f0c2a1e --json'],
  async run({ args, options, out, connect }) {
    const dead = require('../dead-letters') as typeof import('../dead-letters');
    const pipeline = await connect();
    const { boxes } = dead.mailboxes(pipeline, options.project);
    const { letter, mailbox } = await dead.findLetter(pipeline.clients.sqs, boxes, args.id);
    const listened = dead.listenedAt(options.project);
    const examined = await dead.examine(letter, {
      listened,
      orphaned: mailbox.orphaned === true,
      findGood: dead.goodEventIn(pipeline, listened.contracts),
      deployedVersion: await dead.deployedVersion(pipeline, letter.module),
    });
    out.result(examined, (each) => dead.letterLines(each, out));
  },
});
