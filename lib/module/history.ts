import { LIMITS } from '../contract/limits';
import { DEFAULT_RETRY, type Retry } from './settings';
import type { Step } from './step';

/**
 * Events that Step Functions writes into the history of an execution, at worst. A state is entered and exited; every
 * attempt of a task is scheduled, started, and succeeds or fails; a distributed Map's items have histories of their
 * own, its state only starts and ends a Map Run, which a redrive notes too.
 */
const STATE = 2;
const ATTEMPT = 3;
const MAP = STATE + 4;

/** The execution started; its failure was told on the bus; a Fail state was entered; the execution failed. */
const ENDS = 1 + taskEvents(DEFAULT_RETRY) + 1 + 1;

/** Kept free for redrives, which append to the same history: each adds at most one task and the telling of a failure. */
const REDRIVE_RESERVE = 5000;

const USABLE = LIMITS.historyEvents.value - REDRIVE_RESERVE - ENDS;

/** Events of a call with all its retries. */
export function taskEvents({ attempts }: Pick<Retry, 'attempts'>): number {
  return STATE + ATTEMPT * attempts;
}

/** Events of one turn of a repeated step: the call, the decision, and the step to the next turn. */
export const turnEvents = (step: Pick<Step, 'retry'>): number => taskEvents(step.retry) + STATE + STATE;

/** Events that a chapter adds to the execution of its item: its preparation, the Map, and the decision after it. */
const CHAPTER = STATE + MAP + STATE;

/** How the turns of one item are spread over executions, each with a history of its own. */
export interface Pace {
  /** Turns in the item's own execution, and then in each further chapter. */
  readonly turns: number;
  /** Chapters after the item's own execution. After the last the item is given up (HR312). */
  readonly chapters: number;
}

/**
 * The longest chapters that cannot reach the limit of 25,000 events, even when every turn needs all its attempts: half
 * of an item's history is for its own turns, half for its chapters. With 5 attempts that is 475 turns and 1,000 chapters.
 */
export function paceOf(step: Pick<Step, 'retry'>): Pace {
  const turns = Math.floor(USABLE / 2 / turnEvents(step));
  return { turns, chapters: Math.floor((USABLE - turns * turnEvents(step)) / CHAPTER) };
}

/** Events of the execution of an item at that pace, at worst. A chapter's own execution has fewer. */
export function itemEvents(step: Pick<Step, 'retry'>, { turns, chapters }: Pace): number {
  return ENDS + turns * turnEvents(step) + chapters * CHAPTER;
}

/** Events of the execution of a plan, at worst: every step with all its retries. */
export function planEvents(plan: readonly { readonly node: 'run' | 'forEach'; readonly step: Pick<Step, 'retry'> }[]) {
  const events = plan.map(({ node, step }) => (node === 'run' ? taskEvents(step.retry) + STATE : MAP));
  return ENDS + STATE + events.reduce((sum, each) => sum + each, 0);
}

/** Events a plan may need at worst. */
export const MAX_PLAN_EVENTS = LIMITS.historyEvents.value - REDRIVE_RESERVE;
