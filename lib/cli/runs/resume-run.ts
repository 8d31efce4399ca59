import {
  DescribeExecutionCommand,
  RedriveExecutionCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { HeadraceError } from '../../contract/errors';
import type { RunItem } from './run-list';

export interface Resumed {
  /** Name of the execution that goes on with the run. */
  readonly id: string;
  /** `redrive`: the same execution from its failed state; `restart`: a new one, in which finished states return at once. */
  readonly way: 'redrive' | 'restart';
}

const NO_REDRIVE = /InvalidAction|UnknownOperation|Unknown action|not (yet )?implemented|UnsupportedOperation/i;

/**
 * Goes on with a run that failed, under its own id: every step looks for its finished output first, so nothing is done
 * twice.
 *
 * @param all every execution of the workflow, to number the new one
 * @throws HeadraceError HR501 when the run is still going or has succeeded
 */
export async function resumeRun(sfn: SFNClient, run: RunItem, all: readonly RunItem[]): Promise<Resumed> {
  const root = run.id.replace(/-r\d+$/, '');
  const executions = all.filter(({ id }) => id === root || id.startsWith(`${root}-r`));
  refuseNeedless(executions);
  if (await redrive(sfn, run.arn)) return { id: run.id, way: 'redrive' };
  const { input, stateMachineArn } = await sfn.send(new DescribeExecutionCommand({ executionArn: run.arn }));
  const numbers = executions.map(({ id }) => Number(/-r(\d+)$/.exec(id)?.[1] ?? 0));
  const name = `${root}-r${Math.max(0, ...numbers) + 1}`;
  await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
  return { id: name, way: 'restart' };
}

function refuseNeedless(executions: readonly RunItem[]): void {
  const live = executions.find(({ status }) => status === 'RUNNING' || status === 'SUCCEEDED');
  if (!live) return;
  throw new HeadraceError('HR501', {
    what: live.status === 'RUNNING' ? 'The run is still going.' : 'The run has succeeded.',
    got: live.id,
    allowed: 'a run that failed, timed out or was aborted',
    next: `npx headrace runs show ${live.id}`,
  });
}

/** @returns false where the target has no RedriveExecution */
async function redrive(sfn: SFNClient, executionArn: string): Promise<boolean> {
  try {
    await sfn.send(new RedriveExecutionCommand({ executionArn }));
    return true;
  } catch (error) {
    const { name, message } = error as Error;
    // An execution is redrivable for 14 days and 1,000 times; after that a new one does the same.
    if (NO_REDRIVE.test(`${name} ${message}`) || name === 'ExecutionNotRedrivable') return false;
    throw error;
  }
}
