import type { HistoryEvent } from '@aws-sdk/client-sfn';

export interface Failure {
  readonly error: string;
  /** The message inside the cause that Lambda reports, else the cause as it is. */
  readonly cause: string;
}

/** What happened in one state of a run. */
export interface StateRecord {
  readonly name: string;
  /** `done`, `failed`, or `running` when nothing says that it ended. */
  readonly status: 'done' | 'failed' | 'running';
  readonly entered: string;
  readonly seconds: number;
  /** What the step decided: `cleaned`, `rejected`. */
  readonly outcome?: string;
  /** Calls of the step's function; more than one means retries. */
  readonly attempts: number;
  readonly failures: readonly Failure[];
  /** Items of a Map, where the history tells. */
  readonly items?: number;
  /** Calls over all items of a Map. More than items means slices, or retries. */
  readonly turns?: number;
}

interface Draft {
  readonly name: string;
  readonly map: boolean;
  readonly entered: Date;
  exited?: Date;
  outcome?: string;
  attempts: number;
  succeeded: boolean;
  items: number;
  turns: number;
  readonly failures: Failure[];
}

/** The states of a run in order, from its history. Choices, ends and the states that only tell a failure are left out. */
export function timelineOf(history: readonly HistoryEvent[]): StateRecord[] {
  const drafts: Draft[] = [];
  let open: Draft | undefined;
  for (const event of history) {
    const entered = event.stateEnteredEventDetails?.name;
    if (entered !== undefined && !open?.map && isStep(event)) {
      open = draftOf(event, entered);
      drafts.push(open);
    } else if (open) {
      note(open, event);
      if (event.stateExitedEventDetails?.name === open.name) open = close(open, event);
    }
  }
  const now = history.at(-1)?.timestamp ?? new Date();
  return drafts.map((draft) => recordOf(draft, now));
}

/** Steps are named by one word; the states we add around them have more. */
function isStep({ type, stateEnteredEventDetails }: HistoryEvent): boolean {
  return /^(Task|Map)StateEntered$/.test(type ?? '') && !stateEnteredEventDetails?.name?.includes(' ');
}

function draftOf({ type, timestamp = new Date(0) }: HistoryEvent, name: string): Draft {
  const map = type === 'MapStateEntered';
  return { name, map, entered: timestamp, attempts: 0, succeeded: false, items: 0, turns: 0, failures: [] };
}

function note(draft: Draft, event: HistoryEvent): void {
  const type = event.type ?? '';
  if (/^(Task|LambdaFunction)Scheduled$/.test(type)) draft.attempts += 1;
  if (/^(TaskSucceeded|LambdaFunctionSucceeded|MapStateSucceeded|MapRunSucceeded)$/.test(type)) draft.succeeded = true;
  if (type === 'MapIterationStarted') draft.items += 1;
  if (draft.map && event.type === 'TaskStateEntered') draft.turns += 1;
  const failure = failureOf(event);
  if (failure) {
    draft.failures.push(failure);
    draft.succeeded = false;
  }
}

function close(draft: Draft, event: HistoryEvent): undefined {
  if (event.timestamp) draft.exited = event.timestamp;
  const outcome = outcomeIn(event.stateExitedEventDetails?.output);
  if (outcome !== undefined) draft.outcome = outcome;
  // A caught failure leaves by the same door; a Map that is left without one has succeeded.
  if (draft.map && draft.failures.length === 0) draft.succeeded = true;
}

function failureOf(event: HistoryEvent): Failure | undefined {
  const details =
    event.taskFailedEventDetails ??
    event.taskTimedOutEventDetails ??
    event.lambdaFunctionFailedEventDetails ??
    event.lambdaFunctionTimedOutEventDetails ??
    event.mapRunFailedEventDetails;
  return details && { error: details.error ?? 'unknown', cause: readCause(details.cause ?? '') };
}

/** Lambda reports its errors as JSON. */
export function readCause(cause: string): string {
  const message = /"errorMessage":\s*("(?:[^"\\]|\\.)*")/.exec(cause)?.[1];
  return message === undefined ? cause : (JSON.parse(message) as string);
}

/** The outcome in the state of a run: `{ run, result: { outcome } }`. */
export function outcomeIn(output: string | undefined): string | undefined {
  if (output === undefined) return undefined;
  try {
    return (JSON.parse(output) as { result?: { outcome?: string } }).result?.outcome;
  } catch {
    return undefined;
  }
}

function recordOf(draft: Draft, now: Date): StateRecord {
  const { name, entered, exited, outcome, items, turns, failures } = draft;
  const ended = exited ?? now;
  const status = statusOf(draft);
  return {
    name,
    status,
    entered: entered.toISOString(),
    seconds: (ended.getTime() - entered.getTime()) / 1000,
    ...(outcome !== undefined && status === 'done' && !draft.map && { outcome }),
    attempts: draft.attempts,
    failures,
    ...(draft.map && items > 0 && { items }),
    ...(draft.map && turns > 0 && { turns }),
  };
}

function statusOf({ exited, succeeded }: Draft): StateRecord['status'] {
  if (exited === undefined) return 'running';
  return succeeded ? 'done' : 'failed';
}
