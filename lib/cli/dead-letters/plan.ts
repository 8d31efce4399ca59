import type { SQSClient } from '@aws-sdk/client-sqs';
import { HeadraceError } from '../../contract/errors';
import type { DeadLetter } from './letter';
import { countLetters, type Mailbox, peek } from './mailbox';

/** Letters of one mailbox that are to be moved. */
export interface PlannedMove {
  readonly mailbox: Mailbox;
  /** Letters there are. */
  readonly there: number;
  /** Letters to move. */
  readonly count: number;
}

/** What a redrive would move: every letter, or the one with this id. Mailboxes with nothing to move are left out. */
export async function planMoves(
  sqs: SQSClient,
  boxes: readonly Mailbox[],
  id: string | undefined,
): Promise<PlannedMove[]> {
  const moves = await Promise.all(
    boxes.map(async (mailbox) => {
      const { total } = await countLetters(sqs, mailbox);
      if (id === undefined) return { mailbox, there: total, count: total };
      const letters = await peek(sqs, mailbox, total);
      return { mailbox, there: total, count: letters.filter((letter) => isMeant(letter, id)).length };
    }),
  );
  return moves.filter(({ count }) => count > 0);
}

/** Whether `id` is the beginning of the letter's id, or of that of its event. */
export function isMeant(letter: Pick<DeadLetter, 'id' | 'event'>, id: string): boolean {
  return letter.id.startsWith(id) || letter.event?.id.startsWith(id) === true;
}

/** @throws HeadraceError HR501 when nothing says which letters are meant */
export function refuseVague(module: string | undefined, all: boolean, id: string | undefined): void {
  if (module !== undefined || all || id !== undefined) return;
  throw new HeadraceError('HR501', {
    what: 'Which letters shall be moved?',
    allowed: 'a module, --id <id>, or --all',
    next: 'npx headrace dlq list shows what is there.',
  });
}

/** @throws HeadraceError HR501 when nobody agreed to it */
export function refuseUnasked(total: number, agreed: boolean): void {
  if (agreed) return;
  throw new HeadraceError('HR501', {
    what: `${total} letters would be moved; none was.`,
    next: 'Add --yes to move them, or --dry-run to see which.',
  });
}
