import type { PlannedSweep } from './plan';
import { type ToldFailure, tellFailure } from './queue-failure';
import { isChosen, type Selection } from './selection';
import type { SweepOptions, Swept } from './sweep';

export interface SweepAll {
  readonly sweeps: readonly PlannedSweep[];
  readonly selection: Selection;
  readonly rate?: number | undefined;
  readonly sqs: SweepOptions['sqs'];
  readonly signal: AbortSignal;
  readonly onDone: (module: string, done: number) => void;
}

export interface SweepReport {
  readonly done: number;
  readonly refused: number;
  readonly left: number;
  /** Letters that were meant and not come upon: another has them in hand, or has moved them. */
  readonly missed: number;
  readonly interrupted: boolean;
  readonly modules: readonly Omit<Swept, 'failure'>[];
  readonly failures: readonly ToldFailure[];
}

/** One mailbox after the other; a failure at one does not keep the others from their turn. */
export async function sweepAll(all: SweepAll, run: (options: SweepOptions) => Promise<Swept>): Promise<SweepReport> {
  const modules: Omit<Swept, 'failure'>[] = [];
  const failures: ToldFailure[] = [];
  const { sqs, rate, signal, selection, onDone } = all;
  for (const { mailbox, there } of all.sweeps) {
    if (signal.aborted) break;
    const { failure, ...swept } = await run({
      sqs,
      mailbox,
      atMost: there,
      rate,
      signal,
      wanted: (letter) => isChosen(letter, selection),
      onDone: (done) => onDone(mailbox.module, done),
    });
    modules.push(swept);
    if (failure !== undefined) failures.push(tellFailure(failure, mailbox));
  }
  const sum = (key: 'done' | 'refused' | 'left') => modules.reduce((total, each) => total + each[key], 0);
  const [done, refused] = [sum('done'), sum('refused')];
  const ended = signal.aborted || failures.length > 0;
  const meant = all.sweeps.reduce((total, { count }) => total + count, 0);
  return {
    done,
    refused,
    left: sum('left'),
    missed: ended ? 0 : Math.max(0, meant - done - refused),
    interrupted: signal.aborted,
    modules,
    failures,
  };
}

/** The report with what had gone wrong before the first letter was touched. */
export function withFailures(report: SweepReport, before: readonly ToldFailure[]): SweepReport {
  return { ...report, failures: [...before, ...report.failures] };
}
