import { type MessageAttributeValue, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { LIMITS } from '../contract';
import { platform } from './platform';

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

/** Longest message and stack kept with a letter, characters. */
const MAX_STACK = 4_000;

/** What SQS takes, bytes: the body, and name, type and value of every attribute. */
const MAX_MESSAGE_BYTES = LIMITS.messageBytes.value;

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
  await client.send(
    new SendMessageCommand({
      QueueUrl: letter.queueUrl,
      MessageBody: letter.body,
      MessageAttributes: attributesOf(letter),
    }),
  );
}

/** What is noted with a letter, as far as its body leaves room: the most important first. */
function attributesOf(letter: Letter): Record<string, MessageAttributeValue> {
  const notes = [
    [LETTER.reason, letter.reason],
    [LETTER.module, letter.module],
    [LETTER.parkedAt, new Date(platform().now()).toISOString()],
    [LETTER.attempts, String(letter.attempts), 'Number'],
    [LETTER.firstReceived, new Date(letter.firstReceived).toISOString()],
    [LETTER.codeVersion, letter.codeVersion],
  ] as const;
  const attributes: Record<string, MessageAttributeValue> = {};
  let room = MAX_MESSAGE_BYTES - Buffer.byteLength(letter.body);
  const note = (name: string, value: string, type = 'String') => {
    const bytes = Buffer.byteLength(name + type + value);
    if (bytes > room) return;
    room -= bytes;
    attributes[name] = { DataType: type, StringValue: value };
  };
  for (const [name, value, type] of notes) note(name, value, type);
  note(LETTER.error, errorText(letter.error, room - Buffer.byteLength(`${LETTER.error}String`)));
  return attributes;
}

/** The error as JSON in at most so many bytes: without its stack, or with the head of its message, if it has to be. */
function errorText(error: unknown, room: number): string {
  const { stack, ...described } = describeError(error);
  const texts = [
    { ...described, ...(stack && { stack }) },
    described,
    { ...described, message: described.message.slice(0, 200) },
    { ...described, message: '' },
  ].map(sendable);
  return texts.find((text) => Buffer.byteLength(text) <= room) ?? texts.at(-1) ?? '';
}

/** JSON without the two characters that SQS refuses and JSON does not escape. */
function sendable(value: object): string {
  return JSON.stringify(value).replaceAll(/[\ufffe\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
}
