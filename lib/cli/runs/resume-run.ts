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

/** The run an execution belongs to: its name without `-r<n>`. */
export const rootOf = (id: string): string => id.replace(/-r\d+$/, '');

/**
 * Goes on with a run that failed, under its own id: every step looks for its finished output first, so nothing is done
 * twice.
 *
 * @param all every execution of the workflow, to number the new one
 * @throws HeadraceError HR501 when the run is still going, has succeeded, or was just resumed by somebody else
 */
export async function resumeRun(sfn: SFNClient, run: RunItem, all: readonly RunItem[]): Promise<Resumed> {
  const root = rootOf(run.id);
  const executions = all.filter(({ id }) => rootOf(id) === root);
  const live = executions.find(({ status }) => status === 'RUNNING' || status === 'SUCCEEDED');
  if (live) throw needless(live.id, live.status === 'RUNNING' ? 'is still going' : 'has succeeded');
  if (await redrive(sfn, run.arn)) return { id: run.id, way: 'redrive' };
  const { input, stateMachineArn } = await sfn.send(new DescribeExecutionCommand({ executionArn: run.arn }));
  const numbers = executions.map(({ id }) => Number(/-r(\d+)$/.exec(id)?.[1] ?? 0));
  const name = `${root}-r${Math.max(0, ...numbers) + 1}`;
  try {
    await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
  } catch (error) {
    // Two who resume at once choose the same name: one execution is started.
    if ((error as Error).name === 'ExecutionAlreadyExists')
      throw needless(name, 'was resumed by somebody else just now');
    throw error;
  }
  return { id: name, way: 'restart' };
}

function needless(id: string, why: string): HeadraceError {
  return new HeadraceError('HR501', {
    what: `The run ${why}.`,
    got: id,
    allowed: 'a run that failed, timed out or was aborted',
    next: `npx headrace runs show ${id}`,
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
