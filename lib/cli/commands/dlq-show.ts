import { HeadraceError } from '../../contract/errors';
import { command } from '../command';

export const dlqShow = command({
  name: 'dlq show',
  summary: 'Show one dead letter with its error and its event',
  args: { id: { summary: 'id of the letter or of the event in it; its first characters will do' } },
  examples: ['npx headrace dlq show 5f0c2a1e', 'npx headrace dlq show 5f0c2a1e --json'],
  async run({ args, options, out, connect }) {
    const { isMeant, letterLines, mailboxes, peek } = require('../dead-letters') as typeof import('../dead-letters');
    const pipeline = await connect();
    const { boxes } = mailboxes(pipeline, options.project);
    const letters = (await Promise.all(boxes.map((box) => peek(pipeline.clients.sqs, box, 10_000)))).flat();
    const found = letters.find((letter) => isMeant(letter, args.id));
    if (!found) {
      throw new HeadraceError('HR505', {
        what: 'There is no such dead letter.',
        got: args.id,
        next: 'npx headrace dlq list shows them all.',
      });
    }
    out.result(found, (letter) => letterLines(letter, out));
  },
});
