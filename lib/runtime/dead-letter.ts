import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Names of the message attributes that a parked message carries. */
export const LETTER = {
  error: 'headrace.error',
  reason: 'headrace.reason',
  attempts: 'headrace.attempts',
  firstReceived: 'headrace.first-received',
  parkedAt: 'headrace.parked-at',
  module: 'headrace.module',
  codeVersion: 'headrace.code-version',
  redriven: 'headrace.redriven',
} as const;

/** Why a message was parked: no retry can mend it, or its attempts are used up. */
export type ParkReason = 'poison' | 'attempts';

export interface Letter {
  readonly queueUrl: string;
  /** The message as it was received. */
  readonly body: string;
  readonly module: string;
  readonly error: unknown;
  readonly reason: ParkReason;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly firstReceived: number;
  readonly codeVersion: string;
}

/** Longest stack kept with a letter, characters; attributes and body share SQS's 1 MiB. */
const MAX_STACK = 4_000;

/** The error as it is kept: name, message, code, and the head of the stack. */
export function describeError(error: unknown): { name: string; message: string; code?: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    name: error.name,
    message: error.message.slice(0, MAX_STACK),
    ...(typeof code === 'string' && { code }),
    ...(error.stack && { stack: error.stack.slice(0, MAX_STACK) }),
  };
}

/** Puts a message in the dead letter queue with its reason, unchanged, so that it can come back. */
export async function park(client: SQSClient, letter: Letter): Promise<void> {
  const text = (value: string) => ({ DataType: 'String', StringValue: value });
  await client.send(
    new SendMessageCommand({
      QueueUrl: letter.queueUrl,
      MessageBody: letter.body,
      MessageAttributes: {
        [LETTER.error]: text(JSON.stringify(describeError(letter.error))),
        [LETTER.reason]: text(letter.reason),
        [LETTER.attempts]: { DataType: 'Number', StringValue: String(letter.attempts) },
        [LETTER.firstReceived]: text(new Date(letter.firstReceived).toISOString()),
        [LETTER.parkedAt]: text(new Date().toISOString()),
        [LETTER.module]: text(letter.module),
        [LETTER.codeVersion]: text(letter.codeVersion),
      },
    }),
  );
}
