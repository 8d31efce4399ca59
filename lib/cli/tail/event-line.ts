import { clock, shortData } from '../describe-event';
import type { Output } from '../output';
import type { SeenEvent } from '../stage';
import { cut } from '../table';

const CLOCK = 12;
const SUBJECT = 28;
const CORRELATION = 8;
/** From so many columns on there is room for the correlation id. */
const WIDE = 110;

/**
 * One event on one line: time, type, subject, its data in a few words, and the head of its correlation id. It is cut to
 * the terminal's width; where there is no terminal, it isn't cut.
 */
export function eventLine(event: SeenEvent, { style, width }: Pick<Output, 'style' | 'width'>): string {
  const type = event.type.padEnd(20);
  const correlation = event.correlationId.slice(0, CORRELATION);
  const data = shortData(event);
  const head = `${style.dim(clock(event.time))}  ${style.cyan(type)}`;
  if (!Number.isFinite(width)) {
    const said = [event.subject.padEnd(SUBJECT), data].filter((text) => text !== '');
    return `${head}  ${said.join('  ')}  ${style.dim(correlation)}`;
  }
  const wide = width >= WIDE;
  const rest = Math.max(30, width - CLOCK - type.length - 4 - (wide ? CORRELATION + 2 : 0));
  const subject = Math.min(SUBJECT, Math.floor(rest * 0.4));
  const room = rest - subject - 2;
  const line = `${head}  ${cut(event.subject, subject).padEnd(subject)}  ${cut(data, room).padEnd(wide ? room : 0)}`;
  return wide ? `${line}  ${style.dim(correlation)}` : line.trimEnd();
}
