import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { LIMITS } from '../../contract';
import type { HeldLetter } from './mailbox';

/** Bytes of one message, and of all messages of one request (SQS quota): bodies and attributes. */
export const MAX_BYTES = LIMITS.messageBytes.value;

/** Letters in requests that SQS takes, of at most `most` letters: large ones go alone. */
export function batchesOf(letters: readonly HeldLetter[], most: number): HeldLetter[][] {
  const batches: HeldLetter[][] = [];
  let bytes = 0;
  for (const letter of letters) {
    const size = sizeOf(letter.message.Body ?? '', letter.message.MessageAttributes ?? {});
    const last = batches.at(-1);
    if (last && last.length < most && bytes + size <= MAX_BYTES) {
      last.push(letter);
      bytes += size;
    } else {
      batches.push([letter]);
      bytes = size;
    }
  }
  return batches;
}

/** What SQS counts of a message, bytes. */
export function sizeOf(body: string, attributes: Readonly<Record<string, MessageAttributeValue>>): number {
  return Object.entries(attributes).reduce(
    (sum, [name, { DataType = '', StringValue = '', BinaryValue }]) =>
      sum + Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(body),
  );
}
