import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  type HistoryEvent,
  ListMapRunsCommand,
  paginateGetExecutionHistory,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import type { RunItem } from './run-list';
import { type Failure, readCause, type StateRecord, timelineOf } from './timeline';

/** Items of a distributed Map, as Step Functions counts them. */
export interface ItemCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly running: number;
}

export interface RunDetails extends RunItem {
  /** The event that started it. */
  readonly event?: { readonly id: string; readonly type: string; readonly correlationId: string };
  readonly states: readonly (StateRecord & { readonly map?: ItemCounts })[];
  /** Why the run as a whole failed. */
  readonly failure?: Failure;
}

/** A run with its states. */
export async function showRun(sfn: SFNClient, run: RunItem): Promise<RunDetails> {
  const [described, history, maps] = await Promise.all([
    sfn.send(new DescribeExecutionCommand({ executionArn: run.arn })),
    readHistory(sfn, run.arn),
    readMaps(sfn, run.arn),
  ]);
  const event = startingEvent(described.input);
  const states = timelineOf(history).map((state) => {
    const map = maps.get(state.name);
    return map ? { ...state, map } : state;
  });
  const failed = described.error !== undefined || run.status === 'FAILED';
  return {
    ...run,
    ...(event && { event }),
    states,
    ...(failed && { failure: { error: described.error ?? 'unknown', cause: readCause(described.cause ?? '') } }),
  };
}

async function readHistory(client: SFNClient, executionArn: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  for await (const page of paginateGetExecutionHistory({ client }, { executionArn, maxResults: 1000 })) {
    events.push(...(page.events ?? []));
  }
  return events;
}

/** The item counts by the name of the Map's state, which stands in the ARN of a map run. */
async function readMaps(sfn: SFNClient, executionArn: string): Promise<Map<string, ItemCounts>> {
  const { mapRuns = [] } = await sfn.send(new ListMapRunsCommand({ executionArn }));
  const counted = await Promise.all(
    mapRuns.map(async ({ mapRunArn = '' }) => {
      const { itemCounts } = await sfn.send(new DescribeMapRunCommand({ mapRunArn }));
      const { total = 0, succeeded = 0, failed = 0, running = 0 } = itemCounts ?? {};
      return [stateIn(mapRunArn), { total, succeeded, failed, running }] as const;
    }),
  );
  return new Map(counted);
}

/** `arn:aws:states:<region>:<account>:mapRun:<machine>/<state label>:<uuid>` */
const stateIn = (mapRunArn: string) => /\/([^:/]+):/.exec(mapRunArn)?.[1] ?? '';

function startingEvent(input: string | undefined): RunDetails['event'] {
  try {
    const { run } = JSON.parse(input ?? '{}') as { run?: { event?: NonNullable<RunDetails['event']> } };
    if (!run?.event) return undefined;
    const { id, type, correlationId } = run.event;
    return { id, type, correlationId };
  } catch {
    return undefined;
  }
}
