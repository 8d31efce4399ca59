import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { LETTER } from '../runtime';
import type { WorkRecord } from './record';

/** What a letter says of why it was parked. */
export interface Told {
  readonly reason: string;
  readonly attempts: number;
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

/** Reads a letter's attributes; undefined when there is no reason among them. */
export function toldBy(attributes: Readonly<Record<string, MessageAttributeValue>>): Told | undefined {
  const reason = attributes[LETTER.reason]?.StringValue;
  if (reason === undefined) return undefined;
  const error = JSON.parse(attributes[LETTER.error]?.StringValue ?? '{}') as Partial<Told>;
  return {
    reason,
    attempts: Number(attributes[LETTER.attempts]?.StringValue),
    name: error.name ?? 'Error',
    message: error.message ?? '',
    ...(error.code !== undefined && { code: error.code }),
  };
}

/** Codes by which the runtime refuses an event before it reaches the logic, for what stands in it. */
const REFUSED = /^HR(10[2-6]|302|309|310|321)$/;

/** Why a letter should not be where it is; undefined when it should. An event is bad when its logic says so. */
export function judgeLetter(
  record: WorkRecord,
  told: Told | undefined,
  all: ReadonlyMap<string, WorkRecord>,
): string | undefined {
  const failed = record.threw + record.hung > 0;
  if (!told) return failed ? undefined : 'it was received too often, and the logic never failed';
  if (told.code === 'HR320') return beforeIsMissing(record, all) ? undefined : 'the event before it is there';
  const right = told.reason === 'poison' ? isPoison(record, told) : failed || !(record.watched || diedOver(told));
  return right ? undefined : `the logic never failed, but: ${told.message}`;
}

const isPoison = ({ poison, watched }: WorkRecord, { code = '' }: Told) => poison || !watched || REFUSED.test(code);

const diedOver = ({ message }: Told) => message.startsWith('the function ended');

function beforeIsMissing({ module, sequence }: WorkRecord, all: ReadonlyMap<string, WorkRecord>): boolean {
  const before = [...all.values()].filter(
    (each) => each.module === module && each.sequence?.scope === sequence?.scope && !each.parked,
  );
  const values = before.map((each) => Number(each.sequence?.value));
  for (let value = 1; value < Number(sequence?.value); value++) if (!values.includes(value)) return true;
  return false;
}
