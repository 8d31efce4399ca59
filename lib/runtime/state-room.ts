import { HeadraceError } from '../contract';
import { LIMITS } from '../contract/limits';
import type { Run } from '../module';

/** Bytes of a state that are not run or item: counters, outcome, a function's ARN, the names of the fields. */
const ROOM_BESIDES = 4096;

/** Longest outcome, characters. */
const MAX_OUTCOME = 128;

/** Bytes that a run and an item may have together. */
export const MAX_RUN_AND_ITEM = LIMITS.stateBytes.value - ROOM_BESIDES;

/**
 * Refuses a run that Step Functions would refuse, or would end without a word later on, for its size.
 *
 * @throws HeadraceError HR311
 */
export function checkRun(run: Run): void {
  const bytes = sizeOf({ run });
  if (bytes <= MAX_RUN_AND_ITEM) return;
  throw new HeadraceError('HR311', {
    what: `The event ${run.event.type} ${run.event.id} is too large to start a run of ${run.workflow}.`,
    got: `${bytes} bytes`,
    allowed: `up to ${MAX_RUN_AND_ITEM} bytes with the names of the run`,
    next: 'Put the data in a store and send its reference (objectRef).',
  });
}

export interface ItemList {
  readonly run: Run;
  /** The step that lists them. */
  readonly step: string;
  readonly items: readonly unknown[];
  /** @default - what a distributed Map takes */
  readonly maxItems?: number;
}

/** Refuses a list of which one item, or all together, would exceed what a Map takes. @throws HeadraceError HR311 */
export function checkItems({ run, step, items, maxItems = LIMITS.mapItems.value }: ItemList): void {
  if (items.length > maxItems) {
    throw new HeadraceError('HR311', {
      what: `${step} lists more items than one forEach takes.`,
      got: `${items.length} items`,
      allowed: `up to ${maxItems}`,
      next: 'Let an item stand for many: a shard, a range of keys.',
    });
  }
  const room = MAX_RUN_AND_ITEM - sizeOf({ run });
  items.forEach((item, index) => {
    const bytes = sizeOf({ item });
    if (bytes <= room) return;
    throw new HeadraceError('HR311', {
      what: `Item ${index} of ${step} is too large: it travels together with the run.`,
      got: `${bytes} bytes`,
      allowed: `up to ${room} bytes beside this run's event`,
      next: 'Put the data in the runs store and list its key (runKey).',
    });
  });
}

/** The outcome, if it is a word of sensible length. @throws TypeError when it is none, HeadraceError HR311 when too long */
export function checkOutcome(step: string, outcome: unknown): string {
  if (typeof outcome !== 'string') throw new TypeError(`${step} returned no outcome: it has to be a word`);
  if (outcome.length <= MAX_OUTCOME) return outcome;
  throw new HeadraceError('HR311', {
    what: `${step} returned an outcome that is no word.`,
    got: `${outcome.length} characters`,
    allowed: `up to ${MAX_OUTCOME}`,
    next: 'Return a word the plan decides on; put what was found into the runs store.',
  });
}

/** Bytes as JSON in UTF-8, which is what Step Functions counts. */
const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
