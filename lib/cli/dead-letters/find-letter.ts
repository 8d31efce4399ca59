import type { SQSClient } from '@aws-sdk/client-sqs';
import { HeadraceError } from '../../contract/errors';
import type { DeadLetter } from './letter';
import { countLetters, type HeldLetter, hold, type Mailbox, peek, release } from './mailbox';
import { checkId, isMeant } from './selection';

export interface FoundLetter {
  readonly letter: DeadLetter;
  readonly mailbox: Mailbox;
}

/** Letters looked at in one queue. */
const LIMIT = 10_000;

/**
 * The one letter that `id` means: the beginning of its id or of that of its event.
 *
 * @throws HeadraceError HR505 when there is none, HR514 when there are several
 */
export async function findLetter(sqs: SQSClient, boxes: readonly Mailbox[], id: string): Promise<FoundLetter> {
  checkId(id);
  const seen = await Promise.all(
    boxes.map(async (mailbox) => {
      const letters = await peek(sqs, mailbox, LIMIT);
      return { mailbox, letters, hidden: letters.length === 0 ? (await countLetters(sqs, mailbox)).hidden : 0 };
    }),
  );
  const found = seen.flatMap(({ mailbox, letters }) =>
    letters.filter((letter) => isMeant(letter, id)).map((letter) => ({ letter, mailbox })),
  );
  const exact = found.filter(({ letter }) => letter.id === id);
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only && others.length === 0) return only;
  if (only) throw severalLetters(id, [only, ...others]);
  const hidden = seen.reduce((sum, box) => sum + box.hidden, 0);
  throw new HeadraceError('HR505', {
    what: hidden > 0 ? `There is no such dead letter among those nobody is using.` : 'There is no such dead letter.',
    got: id,
    next:
      hidden > 0
        ? `${hidden} are in use by another reader just now: try again in a minute.`
        : 'npx headrace dlq list shows them all.',
  });
}

function severalLetters(id: string, found: readonly FoundLetter[]): HeadraceError {
  const named = found.slice(0, 5).map(({ letter }) => `${letter.id} (${letter.module})`);
  return new HeadraceError('HR514', {
    what: `${found.length} dead letters begin with that id or hold that event.`,
    got: id,
    allowed: [...named, ...(found.length > 5 ? ['...'] : [])].join(', '),
    next: 'Give the id of one letter.',
  });
}

/**
 * Takes one letter in hand, hidden from all others for a minute.
 *
 * @throws HeadraceError HR515 when somebody else has it in hand, or has moved it since
 */
export async function takeLetter(sqs: SQSClient, { letter, mailbox }: FoundLetter): Promise<HeldLetter> {
  const held = await hold(sqs, mailbox, LIMIT);
  const found = held.find((each) => each.letter.id === letter.id);
  await release(
    sqs,
    mailbox,
    held.filter((each) => each !== found),
  );
  if (found) return found;
  throw new HeadraceError('HR515', {
    what: 'Somebody else has the letter in hand, or has moved it since.',
    got: letter.id,
    next: 'Look again in a minute with npx headrace dlq list: nothing was sent.',
  });
}
