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

/** Letters of one module that failed in one way. */
export interface LetterGroup {
  readonly module: string;
  readonly reason: string;
  /** Name or code of the error. */
  readonly error: string;
  /** Message of the newest. */
  readonly message: string;
  readonly count: number;
  readonly newest?: string;
  readonly types: readonly string[];
  /** Ids of the letters. */
  readonly ids: readonly string[];
}

/** Letters by module and error, most first. */
export function groupLetters(letters: readonly DeadLetter[]): LetterGroup[] {
  const groups = new Map<string, DeadLetter[]>();
  for (const letter of letters) {
    const key = [letter.module, letter.reason, letter.error.code ?? letter.error.name].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), letter]);
  }
  return [...groups.values()].flatMap(groupOf).sort((a, b) => b.count - a.count || a.module.localeCompare(b.module));
}

function groupOf(letters: readonly DeadLetter[]): LetterGroup[] {
  const newestFirst = [...letters].sort((a, b) => (b.parkedAt ?? '').localeCompare(a.parkedAt ?? ''));
  const [newest] = newestFirst;
  if (!newest) return [];
  return [
    {
      module: newest.module,
      reason: newest.reason,
      error: newest.error.code ?? newest.error.name,
      message: newest.error.message,
      count: letters.length,
      ...(newest.parkedAt && { newest: newest.parkedAt }),
      types: [...new Set(letters.flatMap(({ event }) => event?.type ?? []))],
      ids: newestFirst.map(({ id }) => id),
    },
  ];
}
