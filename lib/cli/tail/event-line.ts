import { clock, shortData } from '../describe-event';
import type { Output } from '../output';
import type { SeenEvent } from '../stage';
import { cut } from '../table';

/** One event on one line: time, type, subject, its data in a few words, and the head of its correlation id. */
export function eventLine(event: SeenEvent, { style, width }: Pick<Output, 'style' | 'width'>): string {
  const correlation = event.correlationId.slice(0, 8);
  const type = event.type.padEnd(20);
  const subject = cut(event.subject, 28).padEnd(28);
  const room = Math.max(20, width - 12 - type.length - subject.length - 8 - 8);
  const data = cut(shortData(event), room).padEnd(room);
  return `${style.dim(clock(event.time))}  ${style.cyan(type)}  ${subject}  ${data}  ${style.dim(correlation)}`;
}
