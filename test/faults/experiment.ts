import type { Lab } from './lab/lab';

/** How much of each experiment is done: `full` as the targets say, `small` a fifth, `ci` a twentieth. */
export type Scale = 'ci' | 'small' | 'full';

export const SHARES: Readonly<Record<Scale, number>> = { ci: 1 / 20, small: 1 / 5, full: 1 };

export interface Run {
  readonly scale: Scale;
  /** Everything that is drawn is drawn from it. */
  readonly seed: number;
  /** One line on how it goes, to stderr. */
  readonly log: (line: string) => void;
  /** A pipeline on a local target, the same for all experiments that use it; started by `lab.open()`. */
  readonly lab: Lab;
}

/** Numbers and notes by name. */
export type Measured = Readonly<Record<string, number | string | Readonly<Record<string, number | string>>>>;

export interface Outcome {
  readonly measured: Measured;
  /** Whether the target was reached. */
  readonly pass: boolean;
}

/** One file in `experiments/`, its default export. */
export interface Experiment {
  /** `R1`. */
  readonly id: string;
  readonly title: string;
  /** What has to be measured, in words. */
  readonly target: string;
  run(run: Run): Promise<Outcome>;
}

export interface Figure extends Outcome {
  readonly id: string;
  readonly title: string;
  readonly target: string;
  readonly seconds: number;
}

/** So many of `whole` as the scale asks for, at least 1. */
export const scaled = (whole: number, scale: Scale): number => Math.max(1, Math.round(whole * SHARES[scale]));
