import { type Message, type MessageAttributeValue, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { LETTER } from '../../runtime/dead-letter';
import { MAX_BYTES, sizeOf } from './batches';
import type { HeldLetter } from './mailbox';
import { type SweepOptions, type Swept, sweep } from './sweep';

/**
 * Moves letters back to the queue they came from: sent first, deleted then, so that none is lost. One that is sent
 * twice because we were killed in between carries the same event, which the ledger drops. Not by the queue's own
 * StartMessageMoveTask, even where there is one: it would leave on the letters what was noted about their failure.
 */
export function redrive(options: SweepOptions): Promise<Swept> {
  return sweep(options, async (batch, began) => {
    const { Successful = [] } = await options.sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: options.mailbox.queueUrl,
        Entries: batch.map(({ message }, i) => ({
          Id: String(i),
          MessageBody: message.Body,
          MessageAttributes: freshAttributes(message, { [LETTER.redriven]: began }),
        })),
      }),
    );
    const accepted = Successful.map(({ Id }) => batch[Number(Id)]);
    return accepted.filter((each): each is HeldLetter => each !== undefined);
  });
}

/** The attributes the message had before it was parked, and our notes, if there is room for them. */
export function freshAttributes(
  { Body = '', MessageAttributes = {} }: Pick<Message, 'Body' | 'MessageAttributes'>,
  notes: Readonly<Record<string, string>>,
): Record<string, MessageAttributeValue> {
  const own = Object.fromEntries(Object.entries(MessageAttributes).filter(([name]) => !name.startsWith('headrace.')));
  const noted = Object.entries(notes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]);
  const all = { ...own, ...Object.fromEntries(noted) } as Record<string, MessageAttributeValue>;
  return sizeOf(Body, all) <= MAX_BYTES ? all : own;
}
