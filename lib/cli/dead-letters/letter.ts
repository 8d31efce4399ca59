import type { Message } from '@aws-sdk/client-sqs';
import { LETTER } from '../../runtime/dead-letter';
import { readBusEvent } from '../tail/read-bus-event';

export interface LetterError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/** A dead letter, as people and scripts read it. */
export interface DeadLetter {
  /** Id of the message. */
  readonly id: string;
  readonly module: string;
  /** `poison`, `attempts`, or `unhandled`: SQS moved it itself after crashes or timeouts. */
  readonly reason: string;
  readonly error: LetterError;
  readonly attempts: number;
  /** ISO 8601; absent where nobody noted it. */
  readonly firstReceived?: string;
  readonly parkedAt?: string;
  /** When it was sent back before, if it was. */
  readonly redriven?: string;
  readonly codeVersion?: string;
  /** The event inside; absent when the body is none. */
  readonly event?: { readonly id: string; readonly type: string; readonly subject: string };
  /** The message as it was received. */
  readonly body: string;
}

/** SQS moved it: the handler never came to say why. */
const UNHANDLED: LetterError = {
  name: 'NotHandled',
  message: 'the handler crashed or timed out on every attempt; its log tells why',
};

export function readLetter(module: string, message: Message): DeadLetter {
  const attributes = message.MessageAttributes ?? {};
  const text = (name: string) => attributes[name]?.StringValue;
  const note = (key: string, value: string | undefined) => (value === undefined ? {} : { [key]: value });
  const event = readBusEvent(message.Body ?? '');
  const received = message.Attributes?.ApproximateReceiveCount;
  return {
    id: message.MessageId ?? '',
    module,
    reason: text(LETTER.reason) ?? 'unhandled',
    error: readError(text(LETTER.error)),
    attempts: Number(text(LETTER.attempts) ?? received ?? 0),
    ...note('firstReceived', text(LETTER.firstReceived)),
    ...note('parkedAt', text(LETTER.parkedAt)),
    ...note('redriven', text(LETTER.redriven)),
    ...note('codeVersion', text(LETTER.codeVersion)),
    ...(event && { event: { id: event.id, type: event.type, subject: event.subject } }),
    body: message.Body ?? '',
  };
}

function readError(json: string | undefined): LetterError {
  if (json === undefined) return UNHANDLED;
  try {
    return JSON.parse(json) as LetterError;
  } catch {
    return { name: 'Error', message: json };
  }
}
