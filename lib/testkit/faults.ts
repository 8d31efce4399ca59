import type { Dice } from './random';

/** Likelihoods in [0, 1]: for each call of AWS, or each message, where nothing else is said. */
export interface Faults {
  /** The worker dies before or after a call took effect. */
  readonly crash: number;
  /** A call takes effect and its answer gets lost. */
  readonly lost: number;
  /** A call takes effect, its answer gets lost, and the SDK makes it once more. */
  readonly repeated: number;
  /** A call is throttled. */
  readonly throttle: number;
  /** A call is answered with status 500, whether it took effect or not. */
  readonly error: number;
  /** A call takes effect long after: the lease has run out, and the worker is gone or goes on too late. */
  readonly delay: number;
  /** The bus refuses some events of a request. */
  readonly refuse: number;
  /** A message comes up to four times more. */
  readonly duplicate: number;
  /** A message comes once more hours later. */
  readonly late: number;
  /** A message is handed to a second worker while the first has it. */
  readonly again: number;
  /** A message comes up to two minutes late, so that others overtake it. */
  readonly reorder: number;
  /** A batch is smaller than it could be. */
  readonly partial: number;
  /** Messages are received, and the function is throttled: nobody gets them. */
  readonly uninvoked: number;
  /** What was handled is not taken off the queue. */
  readonly undeleted: number;
  /** Faults of one run, partial batches apart; then all goes well, so that every run comes to an end. */
  readonly budget: number;
}

export type FaultKind = Exclude<keyof Faults, 'budget'>;

/** Faults of calls, in the order in which they are drawn. */
const CALL_FAULTS = ['crash', 'lost', 'repeated', 'throttle', 'error', 'delay', 'refuse'] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

const NONE: Faults = {
  crash: 0,
  lost: 0,
  repeated: 0,
  throttle: 0,
  error: 0,
  delay: 0,
  refuse: 0,
  duplicate: 0,
  late: 0,
  again: 0,
  reorder: 0,
  partial: 0,
  uninvoked: 0,
  undeleted: 0,
  budget: 20,
};

const ALL: Faults = {
  crash: 0.06,
  lost: 0.04,
  repeated: 0.04,
  throttle: 0.06,
  error: 0.03,
  delay: 0.05,
  refuse: 0.25,
  duplicate: 0.15,
  late: 0.08,
  again: 0.1,
  reorder: 0.2,
  partial: 0.5,
  uninvoked: 0.05,
  undeleted: 0.08,
  budget: 16,
};

/** `all` faults, each of them in some runs and more or less often; `none`; or these likelihoods and no others. */
export type FaultChoice = 'all' | 'none' | Partial<Faults>;

function likelihoods(choice: FaultChoice, dice: Dice): Faults {
  if (choice === 'none') return NONE;
  if (choice !== 'all') return { ...NONE, ...choice };
  // Runs that differ in which faults they have find more than runs that all have a little of everything.
  const drawn = Object.entries(ALL).map(([kind, likelihood]) => {
    const strength = dice.roll(`strength ${kind}`);
    return [kind, strength < 0.35 ? 0 : Math.min(1, likelihood * 2.5 * strength)];
  });
  return { ...(Object.fromEntries(drawn) as unknown as Faults), budget: dice.between('budget', 1, ALL.budget) };
}

/** Decides where a run goes wrong. Each fault has a name that stays the same when others are left out. */
export class Injector {
  /** Names of the faults that were injected, in order. */
  readonly injected: string[] = [];
  readonly #dice: Dice;
  readonly #likelihood: Faults;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #counts = new Map<string, number>();
  #left: number;

  /** @param only - leave out every other fault */
  constructor(dice: Dice, choice: FaultChoice, only?: ReadonlySet<string>) {
    this.#dice = dice;
    this.#likelihood = likelihoods(choice, dice);
    this.#only = only;
    this.#left = this.#likelihood.budget;
  }

  /** `name` and how often it was asked for: the name of one opportunity. */
  occasion(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return `${name}|${count}`;
  }

  /** Whether this happens on this occasion. */
  strikes(kind: FaultKind, occasion: string): boolean {
    const likelihood = this.#likelihood[kind];
    if (likelihood === 0 || this.#left <= 0) return false;
    const name = `${kind}|${occasion}`;
    if (this.#dice.roll(name) >= likelihood) return false;
    return this.#wanted(name) && this.#inject(name, kind === 'partial' ? 0 : 1);
  }

  /** What goes wrong with a call, if anything. `possible` is asked last, so that what it counts was injected. */
  strikesCall(occasion: string, possible: (kind: CallFault) => boolean): CallFault | undefined {
    if (this.#left <= 0) return undefined;
    let roll = this.#dice.roll(`call|${occasion}`);
    for (const kind of CALL_FAULTS) {
      const likelihood = this.#likelihood[kind];
      const name = `${kind}|${occasion}`;
      if (roll < likelihood) return this.#wanted(name) && possible(kind) && this.#inject(name, 1) ? kind : undefined;
      roll -= likelihood;
    }
    return undefined;
  }

  #wanted(name: string): boolean {
    return this.#only === undefined || this.#only.has(name);
  }

  #inject(name: string, cost: number): boolean {
    this.#left -= cost;
    this.injected.push(name);
    return true;
  }
}
