import { counted } from '../counted';
import { clock } from '../describe-event';
import type { Output } from '../output';
import { cut } from '../table';
import type { DeadLetter, LetterGroup } from './letter';

export interface LetterList {
  readonly total: number;
  readonly modules: readonly {
    readonly module: string;
    readonly hidden: number;
    readonly groups: readonly LetterGroup[];
  }[];
}

export function groupLines({ total, modules }: LetterList, out: Output): string[] {
  if (total === 0) return ['No dead letters.'];
  const { style } = out;
  const groups = modules.flatMap((box) => box.groups);
  const hidden = modules.reduce((sum, box) => sum + box.hidden, 0);
  return [
    ...groups.flatMap((group) => groupText(group, out)),
    ...(hidden > 0
      ? [style.dim(`${hidden} of ${total} are in use by another reader just now and may be missing.`)]
      : []),
    style.dim('npx headrace dlq show <letter>     npx headrace dlq redrive <module> --dry-run'),
  ];
}

const REASONS: Readonly<Record<string, string>> = {
  poison: 'no retry can mend it',
  attempts: 'every attempt failed',
  unhandled: 'crashed or timed out',
};

function groupText({ module, count, reason, error, message, newest, types, ids }: LetterGroup, out: Output): string[] {
  const { style, width } = out;
  const letter = ids[0]?.slice(0, 8) ?? '';
  const text = message.replace(/^\[HR\d{3}\] /, '');
  return [
    `${style.cyan(module)}  ${style.bold(counted(count, 'letter'))}  ${style.red(error)}  ${REASONS[reason] ?? reason}`,
    `  ${cut(text, Math.max(60, width * 2 - 4))}`,
    style.dim(`  ${types.join(', ')}${newest ? `, the newest at ${clock(newest)}` : ''}: letter ${letter}`),
    '',
  ];
}

export function letterLines(letter: DeadLetter, out: Output): string[] {
  const { style } = out;
  const { event, error } = letter;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['module', letter.module],
    ['event', event && `${event.type}  ${event.subject}  ${event.id}`],
    ['reason', letter.reason],
    ['error', `${error.code ?? error.name}: ${error.message}`],
    ['attempts', String(letter.attempts)],
    ['first seen', letter.firstReceived],
    ['parked', letter.parkedAt],
    ['code', letter.codeVersion],
  ];
  const shown = facts.filter(([, value]) => value !== undefined && value !== '');
  return [
    ...shown.map(([name, value]) => `${style.dim(name.padEnd(12))}${value}`),
    ...(error.stack ? ['', style.dim(error.stack)] : []),
    '',
    pretty(letter.body),
  ];
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
