import { counted } from '../counted';
import { INTERRUPTED } from '../process-host';
import type { PlannedLetters } from './plan';
import type { ToldFailure } from './queue-failure';
import { type Selection, wordsOf } from './selection';
import type { SweepReport } from './sweep-all';

export interface Told {
  /** `Moved`, and what stands between the number and the module: `to the queue of`. */
  readonly did: string;
  readonly where: string;
  /** The command line that goes on where this one stopped. */
  readonly goOn: string;
}

export function sweepLines(report: SweepReport & { readonly total: number }, { did, where, goOn }: Told): string[] {
  const { modules, failures, left, refused, missed, interrupted, done, total } = report;
  return [
    ...modules.map((each) => `${did} ${each.done} ${where} ${each.module}.`),
    ...failureLines(failures),
    ...(refused > 0 ? [`${counted(refused, 'letter')} could not be sent; they are dead letters still.`] : []),
    ...(left > 0 ? [`${counted(left, 'letter')} could not be removed afterwards: doing it again does no harm.`] : []),
    ...(missed > 0
      ? [
          `${counted(missed, 'letter')} were in other hands: moved by them, or back in a minute. Look with npx headrace dlq list.`,
        ]
      : []),
    ...(interrupted
      ? [`Interrupted: ${did.toLowerCase()} ${done} of ${total}; the others are as they were. To go on:`, goOn]
      : []),
  ];
}

/** 0, 1 when something was left undone, 130 after Ctrl-C. */
export function sweepExit({ interrupted, refused, left, failures }: SweepReport): number {
  if (interrupted) return INTERRUPTED;
  return refused + left + failures.length > 0 ? 1 : 0;
}

export function failureLines(failures: readonly ToldFailure[]): string[] {
  return failures.flatMap(({ module, code, what, next }) => [
    `${module}: ${code ? `${code} ` : ''}${what}`,
    ...(next ? [`  ${next}`] : []),
  ]);
}

/** Letters that another reader has in hand are not seen, and would be missed. */
export function hiddenLines(hidden: number): string[] {
  if (hidden === 0) return [];
  return [
    `${counted(hidden, 'letter')} were in the hands of another reader; what is left of them is back in a minute.`,
  ];
}

export function plannedLine({ module, count, unfit }: PlannedLetters): string {
  const back = unfit.map((each) => `${each.count} of them would be parked again at once (${each.code})`);
  return [`Would move ${count} to the queue of ${module}`, ...back].join('; ').concat('.');
}

interface Words {
  readonly rate?: number | undefined;
  readonly reason?: string | undefined;
  readonly target?: string | undefined;
}

/** The command line that does the same once more. */
export function commandLine(verb: string, selection: Selection, { rate, reason, target }: Words): string {
  const words = [
    ...wordsOf(selection),
    ...(rate === undefined ? [] : ['--rate', String(rate)]),
    ...(reason === undefined ? [] : ['--reason', JSON.stringify(reason)]),
    ...(target === undefined ? [] : ['--target', target]),
    '--yes',
  ];
  return `npx headrace dlq ${verb} ${words.join(' ')}`;
}
