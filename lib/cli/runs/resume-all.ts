import { DescribeExecutionCommand, type SFNClient } from '@aws-sdk/client-sfn';
import { HeadraceError } from '../../contract/errors';
import { type Resumed, resumeRun, rootOf } from './resume-run';
import type { RunItem } from './run-list';

/** How Step Functions of the local target names an execution that a stop cut off. */
const INTERRUPTED = 'States.ServiceRestart';

export interface ResumedRun {
  /** The run. */
  readonly run: string;
  readonly workflow: string;
  /** What goes on with it; absent in a dry run, and when `skipped` says why not. */
  readonly resumed?: Resumed;
  readonly skipped?: string;
}

export interface ResumeAllOptions {
  /** Only say which. */
  readonly dryRun: boolean;
  /** Only runs that a stop of the target cut off. @default false: whatever failed or timed out */
  readonly interruptedOnly?: boolean;
}

/**
 * The newest execution of every run that came to no good end: failed or timed out, and not going on already. A run that
 * somebody stopped on purpose (ABORTED) is left alone.
 */
export function resumable(all: readonly RunItem[]): RunItem[] {
  const runs = new Map<string, RunItem[]>();
  for (const item of all) {
    const key = `${item.workflow}/${rootOf(item.id)}`;
    runs.set(key, [...(runs.get(key) ?? []), item]);
  }
  return [...runs.values()].flatMap((executions) => {
    const over = executions.some(({ status }) => status === 'RUNNING' || status === 'SUCCEEDED');
    const newest = executions.reduce((a, b) => (resumptions(a) > resumptions(b) ? a : b));
    return !over && /^(FAILED|TIMED_OUT)$/.test(newest.status) ? [newest] : [];
  });
}

/** Goes on with every run that can go on. @param all every execution */
export async function resumeAll(
  sfn: SFNClient,
  all: readonly RunItem[],
  { dryRun, interruptedOnly = false }: ResumeAllOptions,
): Promise<readonly ResumedRun[]> {
  const results: ResumedRun[] = [];
  for (const item of resumable(all)) {
    if (interruptedOnly && !(await wasInterrupted(sfn, item))) continue;
    const named = { run: rootOf(item.id), workflow: item.workflow };
    results.push(dryRun ? named : { ...named, ...(await resumeOrSkip(sfn, item, all)) });
  }
  return results;
}

/** One that cannot go on must not keep the others from it. */
async function resumeOrSkip(sfn: SFNClient, item: RunItem, all: readonly RunItem[]) {
  try {
    return { resumed: await resumeRun(sfn, item, all) };
  } catch (error) {
    const skipped = error instanceof HeadraceError ? error.details.what : String((error as Error).message);
    return { skipped };
  }
}

async function wasInterrupted(sfn: SFNClient, { arn }: RunItem): Promise<boolean> {
  const { error } = await sfn.send(new DescribeExecutionCommand({ executionArn: arn }));
  return error === INTERRUPTED;
}

const resumptions = ({ id }: RunItem) => Number(/-r(\d+)$/.exec(id)?.[1] ?? 0);
