import { counted } from '../counted';
import { clock } from '../describe-event';
import type { Output } from '../output';
import { cut } from '../table';
import type { LetterGroup } from './groups';
import type { ToldFailure } from './queue-failure';
import { failureLines } from './sweep-report';

export interface LetterList {
  readonly total: number;
  readonly modules: readonly {
    readonly module: string;
    readonly orphaned: boolean;
    readonly hidden: number;
    readonly groups: readonly LetterGroup[];
  }[];
  readonly failures: readonly ToldFailure[];
}

export function groupLines({ total, modules, failures }: LetterList, out: Output): string[] {
  if (total === 0) return [...failureLines(failures), 'No dead letters.'];
  const { style } = out;
  const hidden = modules.reduce((sum, box) => sum + box.hidden, 0);
  return [
    ...failureLines(failures),
    ...modules.flatMap(({ groups, orphaned }) => groups.flatMap((group) => groupText(group, orphaned, out))),
    ...(hidden > 0
      ? [style.dim(`${hidden} of ${total} are in use by another reader just now and may be missing.`)]
      : []),
    style.dim('npx headrace dlq show <letter>     npx headrace dlq redrive --group <group> --dry-run'),
  ];
}

const REASONS: Readonly<Record<string, string>> = {
  poison: 'no retry can mend it',
  attempts: 'every attempt failed',
  unhandled: 'crashed or timed out',
};

function groupText(each: LetterGroup, orphaned: boolean, out: Output): string[] {
  const { group, module, count, reason, error, message, newest, types, ids } = each;
  const { style, width } = out;
  const letter = ids[0]?.slice(0, 8) ?? '';
  const text = message.replace(/^\[HR\d{3}\] /, '');
  const gone = orphaned ? style.yellow('  no longer in the project') : '';
  const words = REASONS[reason] ?? reason;
  return [
    `${style.bold(group)}  ${style.cyan(module)}  ${counted(count, 'letter')}  ${style.red(error)}  ${words}${gone}`,
    `  ${cut(text, Math.max(60, width * 2 - 4))}`,
    style.dim(`  ${types.join(', ')}${newest ? `, the newest at ${clock(newest)}` : ''}: letter ${letter}`),
    '',
  ];
}
