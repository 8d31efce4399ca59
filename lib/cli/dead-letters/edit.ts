import { DeleteMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { deterministicId, HeadraceError, type Listenable, MAX_EVENT_BYTES, openEvent } from '../../contract';
import { LETTER } from '../../runtime/dead-letter';
import { type FoundLetter, takeLetter } from './find-letter';
import { contentsOf, jsonOrNothing } from './fit';
import type { DeadLetter } from './letter';
import { isHeld, release } from './mailbox';
import { queueFailure } from './queue-failure';
import { freshAttributes } from './redrive';

/** The name under which the corrected event notes what it was made of, beside its causationid. */
export const EDITED_FROM = 'headrace.edited-from';

/** The event in a letter as a text to be edited: indented JSON, or the body as it stands when it is none. */
export function editable({ body }: Pick<DeadLetter, 'body'>): string {
  const event = jsonOrNothing(body);
  return `${event === undefined ? body : JSON.stringify(event, null, 2)}\n`;
}

export interface Correction {
  /** Id of the corrected event. */
  readonly id: string;
  readonly causationId: string;
  /** What goes to the queue. */
  readonly body: string;
}

/**
 * The corrected event, with an id of its own. The ledger knows an event by its id: under the old one the module would
 * get the results of `once` calls that were made with the old data, and everything that follows would bear ids that may
 * have been used for the old data. The new id is computed from the old one alone, so that however often and by whomever
 * one letter is mended, the module handles one correction of it.
 *
 * @throws HeadraceError HR516 when it is no correction of this letter; HR102, HR103, HR104, HR105 or HR106 when the
 * module would refuse it
 */
export function correct(letter: DeadLetter, text: string, listenables: readonly Listenable[]): Correction {
  const edited = parseEdited(text);
  const old = letter.event?.id ?? letter.id;
  const contents = contentsOf(text, listenables);
  const own = contents?.at !== 'detail';
  refuseOther(letter, edited, own ? detailOf(edited).id : edited.id);
  const id = deterministicId('edited', old, 0);
  const event = own
    ? { ...edited, detail: { ...detailOf(edited), id, causationid: old, ...correlation(edited, old) } }
    : { ...edited, id };
  openEvent(event, listenables);
  refuseLarge(event);
  return { id, causationId: old, body: JSON.stringify(event) };
}

type Fields = Readonly<Record<string, unknown>>;

const detailOf = ({ detail }: Fields) => (detail ?? {}) as Fields;

/** An event that was the first of its chain stays it: what was corrected belongs to the same story. */
const correlation = (edited: Fields, old: string) => ({ correlationid: detailOf(edited).correlationid ?? old });

function parseEdited(text: string): Fields {
  const edited = jsonOrNothing(text);
  if (typeof edited === 'object' && edited !== null && !Array.isArray(edited)) return edited as Fields;
  throw new HeadraceError('HR516', {
    what: 'The corrected event is not a JSON object.',
    allowed: 'the event as npx headrace dlq edit <id> writes it, with its fields corrected',
    next: 'Correct the file. The letter is untouched.',
  });
}

function refuseOther(letter: DeadLetter, edited: Fields, id: unknown): void {
  if (letter.event && id !== letter.event.id) {
    throw new HeadraceError('HR516', {
      what: 'The file holds another event than the letter.',
      got: id,
      allowed: letter.event.id,
      next: 'Leave the id as it is, it gets a new one when it is sent; or give the file that belongs to this letter.',
    });
  }
  if (JSON.stringify(edited) === JSON.stringify(jsonOrNothing(letter.body))) {
    throw new HeadraceError('HR516', {
      what: 'Nothing was changed in the event.',
      next: `To send it back as it is: npx headrace dlq redrive --id ${letter.id}`,
    });
  }
}

function refuseLarge(event: Fields): void {
  const bytes = Buffer.byteLength(JSON.stringify(event.detail));
  if (bytes <= MAX_EVENT_BYTES) return;
  throw new HeadraceError('HR104', {
    what: 'The corrected event is too large.',
    got: `${bytes} bytes`,
    allowed: `up to ${MAX_EVENT_BYTES} bytes`,
    next: 'Put the data in a store and send its reference.',
  });
}

/**
 * Sends the corrected event to the module's queue, then removes the letter. The letter is in our hands meanwhile, and
 * stays as it is until the queue has accepted the event.
 *
 * @returns whether the letter could be removed; if not, the event is on its way all the same
 * @throws HeadraceError HR515 when somebody else has the letter in hand, HR512 or HR513 when the queue takes nothing
 */
export async function sendCorrection(sqs: SQSClient, found: FoundLetter, correction: Correction): Promise<boolean> {
  const { mailbox } = found;
  try {
    const held = await takeLetter(sqs, found);
    try {
      const notes = { [LETTER.redriven]: new Date().toISOString(), [EDITED_FROM]: correction.causationId };
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: mailbox.queueUrl,
          MessageBody: correction.body,
          MessageAttributes: freshAttributes({ ...held.message, Body: correction.body }, notes),
        }),
      );
    } catch (error) {
      await release(sqs, mailbox, [held]);
      throw error;
    }
    if (!isHeld(held)) return false;
    const remove = new DeleteMessageCommand({
      QueueUrl: mailbox.deadLetterQueueUrl,
      ReceiptHandle: held.message.ReceiptHandle,
    });
    return await sqs.send(remove).then(
      () => true,
      () => false,
    );
  } catch (error) {
    throw queueFailure(error, mailbox);
  }
}
