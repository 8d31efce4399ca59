import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';

/** Every call to SQS of any client. */
export const sqs = mockClient(SQSClient);
export const client = new SQSClient({ region: 'us-east-1' });
export const mailbox = { module: 'deploy-model', queueUrl: 'queue', deadLetterQueueUrl: 'dead' };

export const text = (value: string) => ({ DataType: 'String', StringValue: value });

export function parked(n: number, error = { name: 'Error', message: `no ${n}` }): Message {
  return {
    MessageId: `m-${n}`,
    ReceiptHandle: `r-${n}`,
    Body: `{"n":${n}}`,
    MessageAttributes: {
      'headrace.error': text(JSON.stringify(error)),
      'headrace.reason': text('attempts'),
      'headrace.parked-at': text(`2026-01-01T00:00:${String(n % 60).padStart(2, '0')}.000Z`),
      tenant: text('acme'),
    },
  };
}

export interface Served {
  /** Bodies that no queue accepts. @default - none */
  readonly refuse?: readonly string[];
  /** The queue the letters lie in. @default - every queue gives and takes them */
  readonly url?: string;
}

/** A dead letter queue: what is received is hidden until it is released, what is deleted is gone. */
export function serve(messages: readonly Message[], { refuse = [], url }: Served = {}) {
  const visible = [...messages];
  const hidden = new Map<string, Message>();
  const other = (queue: string) => url !== undefined && queue !== url;
  sqs.on(GetQueueAttributesCommand).callsFake(({ QueueUrl }: { QueueUrl: string }) => ({
    Attributes: {
      ApproximateNumberOfMessages: other(QueueUrl) ? '0' : String(visible.length),
      ApproximateNumberOfMessagesNotVisible: other(QueueUrl) ? '0' : String(hidden.size),
    },
  }));
  type Receive = { QueueUrl: string; MaxNumberOfMessages: number };
  sqs.on(ReceiveMessageCommand).callsFake(({ QueueUrl, MaxNumberOfMessages }: Receive) => {
    if (other(QueueUrl)) return {};
    const Messages = visible.splice(0, MaxNumberOfMessages);
    for (const message of Messages) hidden.set(message.ReceiptHandle ?? '', message);
    return { Messages };
  });
  type Entry = { Id: string; ReceiptHandle: string; MessageBody: string; VisibilityTimeout: number };
  type Entries = { Entries: Entry[] };
  sqs.on(ChangeMessageVisibilityBatchCommand).callsFake(async ({ Entries }: Entries) => {
    const Failed = Entries.filter(({ ReceiptHandle }) => !hidden.has(ReceiptHandle));
    for (const { ReceiptHandle, VisibilityTimeout } of Entries) {
      const message = hidden.get(ReceiptHandle);
      if (VisibilityTimeout > 0 || !message) continue;
      visible.push(message);
      hidden.delete(ReceiptHandle);
    }
    return { Failed };
  });
  sqs.on(SendMessageBatchCommand).callsFake(({ Entries }: Entries) => ({
    Successful: Entries.filter(({ MessageBody }) => !refuse.includes(MessageBody)),
    Failed: Entries.filter(({ MessageBody }) => refuse.includes(MessageBody)),
  }));
  sqs.on(SendMessageCommand).resolves({});
  sqs.on(DeleteMessageBatchCommand).callsFake(({ Entries }: Entries) => {
    for (const { ReceiptHandle } of Entries) hidden.delete(ReceiptHandle);
    return {};
  });
  sqs.on(DeleteMessageCommand).callsFake(async ({ ReceiptHandle }: Entry) => {
    hidden.delete(ReceiptHandle);
    return {};
  });
  return { visible, hidden };
}

export const sent = () => sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? []);

export const ids = (messages: readonly Message[]) => messages.map(({ MessageId }) => MessageId).sort();
