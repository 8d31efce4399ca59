import type { SQSClient } from '@aws-sdk/client-sqs';
import { type FitCount, type Listened, unfitOf } from './fit';
import type { DeadLetter } from './letter';
import { countLetters, type Mailbox, peek } from './mailbox';
import { queueFailure, type ToldFailure, tellFailure } from './queue-failure';
import { isChosen, type Selection } from './selection';

/** Letters of one mailbox that are meant. */
export interface PlannedSweep {
  readonly mailbox: Mailbox;
  /** Letters there are. */
  readonly there: number;
  /** Of them, those somebody else has in hand just now. */
  readonly hidden: number;
  /** Letters that are meant. */
  readonly count: number;
  /** The letters themselves, if they were looked at: with an id or a group, or `look`. */
  readonly letters: readonly DeadLetter[];
}

export interface Plan {
  /** Mailboxes with something to do. */
  readonly sweeps: readonly PlannedSweep[];
  readonly total: number;
  /** Letters that somebody else has in hand just now. */
  readonly hidden: number;
  readonly failures: readonly ToldFailure[];
}

export interface PlanOptions {
  readonly selection: Selection;
  /** Look at the letters even if counting them would do. @default false */
  readonly look?: boolean;
}

/**
 * Which letters a command would deal with.
 *
 * @throws what went wrong at the mailbox, if it is the only one asked for; of several, the others still have their turn
 */
export async function planSweeps(
  sqs: SQSClient,
  boxes: readonly Mailbox[],
  { selection, look = false }: PlanOptions,
): Promise<Plan> {
  const failures: ToldFailure[] = [];
  const counting = !look && selection.id === undefined && selection.group === undefined;
  const sweeps = await Promise.all(
    boxes.map(async (mailbox): Promise<PlannedSweep | undefined> => {
      try {
        const { total, hidden } = await countLetters(sqs, mailbox);
        if (counting || total === 0) return { mailbox, there: total, hidden, count: total, letters: [] };
        const letters = (await peek(sqs, mailbox, total)).filter((letter) => isChosen(letter, selection));
        return { mailbox, there: total, hidden, count: letters.length, letters };
      } catch (error) {
        if (boxes.length === 1) throw queueFailure(error, mailbox);
        failures.push(tellFailure(error, mailbox));
        return undefined;
      }
    }),
  );
  const seen = sweeps.filter((each) => each !== undefined);
  return {
    sweeps: seen.filter(({ count }) => count > 0),
    total: seen.reduce((sum, { count }) => sum + count, 0),
    hidden: seen.reduce((sum, { hidden }) => sum + hidden, 0),
    failures,
  };
}

export interface PlannedLetters {
  readonly module: string;
  readonly count: number;
  /** Those the module as it is now would park again at once, by the code of the error. */
  readonly unfit: readonly FitCount[];
}

/** The plan for people and scripts. */
export function describePlan(sweeps: readonly PlannedSweep[], listened: Listened): PlannedLetters[] {
  return sweeps.map(({ mailbox, count, letters }) => ({
    module: mailbox.module,
    count,
    unfit: unfitOf(letters, listened),
  }));
}
