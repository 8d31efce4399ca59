import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DeadLetter } from './letter';
import { countLetters, type Mailbox, peek } from './mailbox';
import { queueFailure, type ToldFailure, tellFailure } from './queue-failure';

export interface ListedBox {
  readonly module: string;
  readonly orphaned: boolean;
  readonly total: number;
  readonly hidden: number;
  readonly letters: readonly DeadLetter[];
}

/**
 * Looks into every mailbox.
 *
 * @throws what went wrong at the mailbox, if it is the only one asked for; of several, the others are listed
 */
export async function listBoxes(sqs: SQSClient, boxes: readonly Mailbox[], limit: number) {
  const failures: ToldFailure[] = [];
  const seen = await Promise.all(
    boxes.map(async (box): Promise<ListedBox | undefined> => {
      try {
        const counted = await countLetters(sqs, box);
        const letters = counted.total === 0 ? [] : await peek(sqs, box, limit);
        return { module: box.module, orphaned: box.orphaned === true, ...counted, letters };
      } catch (error) {
        if (boxes.length === 1) throw queueFailure(error, box);
        failures.push(tellFailure(error, box));
        return undefined;
      }
    }),
  );
  return { seen: seen.filter((each) => each !== undefined), failures };
}
