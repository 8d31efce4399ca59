import { toEnvelope } from '../../../lib/contract';
import type { Random } from '../../../vision/rng';
import { recordSent } from '../project/events/record-sent.v1';
import judgeRecord from '../project/lambdas/judge-record/module';

/** Kinds of poison. The last two are the sixth kind of the target, what ends the function, in its two forms. */
const KINDS = ['throws', 'refused', 'bad schema', 'not JSON', 'unknown version', 'crashes', 'hangs'] as const;
export type Kind = (typeof KINDS)[number];

/** Draws one of six kinds; the sixth is a crash or a hang. */
const drawKind = (next: Random): Kind => {
  const drawn = Math.floor(next() * 12);
  return KINDS[drawn < 10 ? drawn >> 1 : drawn - 5] ?? 'throws';
};

/** Reason and attempts that a letter has to give. */
export interface Parked {
  readonly reason: string;
  readonly attempts: number;
}

const AT_ONCE: Parked = { reason: 'poison', attempts: 1 };
const AT_LAST: Parked = { reason: 'attempts', attempts: judgeRecord.retry.attempts };

export const EXPECTED: Readonly<Record<Kind, Parked>> = {
  throws: AT_LAST,
  refused: AT_ONCE,
  'bad schema': AT_ONCE,
  'not JSON': AT_ONCE,
  'unknown version': AT_ONCE,
  crashes: AT_LAST,
  hangs: AT_LAST,
};

export interface SentRecord {
  readonly name: string;
  readonly kind: Kind | 'good';
  /** The message as it lies in the queue. */
  readonly body: string;
}

/** The name in a message, however broken the message is. */
export const nameIn = (body: string): string => /r3-\d+-\d+/.exec(body)?.[0] ?? '';

/** Bytes of a message that is too long and cut off: above the largest event, below the largest message. */
const CUT_OFF_BYTES = 300 * 1024;

/** Ten records, one to nine of them poison, in random places. */
export function batchOf(number: number, next: Random): SentRecord[] {
  const poison = 1 + Math.floor(next() * 9);
  const kinds = Array.from({ length: 10 }, (_, i): Kind | 'good' => (i < poison ? drawKind(next) : 'good'));
  const order = kinds.map((kind) => ({ kind, at: next() })).sort((a, b) => a.at - b.at);
  const cutOff = next() < 0.1 ? order.findIndex(({ kind }) => kind === 'not JSON') : -1;
  return order.map(({ kind }, i) => {
    const name = `r3-${number}-${i}`;
    return { name, kind, body: bodyOf(name, kind, i === cutOff) };
  });
}

function bodyOf(name: string, kind: SentRecord['kind'], cutOff: boolean): string {
  const conduct = kind === 'throws' || kind === 'refused' || kind === 'crashes' || kind === 'hangs' ? kind : 'good';
  const time = new Date();
  const envelope = toEnvelope(recordSent.create({ record: name, conduct }), { id: name, time });
  const onBus = (detail: object) => {
    const { source, type } = envelope;
    return JSON.stringify({ version: '0', id: name, source, 'detail-type': type, time: time.toISOString(), detail });
  };
  if (kind === 'not JSON') return onBus(envelope).slice(0, 200) + (cutOff ? 'x'.repeat(CUT_OFF_BYTES) : '');
  if (kind === 'bad schema') return onBus({ ...envelope, data: { record: name, conduct: 7 } });
  if (kind === 'unknown version') return onBus({ ...envelope, dataschema: `urn:headrace:${envelope.type}:99` });
  return onBus(envelope);
}
