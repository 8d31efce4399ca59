import { createHash } from 'node:crypto';
import { ExecutionAlreadyExists, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type Event, NonRetriable } from '../contract';
import {
  ENV,
  type ExecutionEnded,
  endedUntold,
  executionEnded,
  type Run,
  runFailed,
  starterOf,
  type Workflow,
} from '../module';
import { sfn } from './clients';
import { consume, type Handler } from './consume';
import { setting } from './setting';
import { checkRun } from './state-room';

/** Stands for the step where no single one failed. */
const WHOLE_RUN = '(the whole run)';

/** The run an event starts: the same event, the same run. */
export function runFor(workflow: Pick<Workflow, 'name'>, event: Event): Run {
  const hash = createHash('sha256').update(event.id).digest('hex').slice(0, 16);
  return {
    id: `${workflow.name}-${hash}`,
    workflow: workflow.name,
    event: {
      id: event.id,
      type: event.type,
      time: event.time,
      correlationId: event.correlationId,
      hops: event.hops,
      ...(event.traceparent && { traceparent: event.traceparent }),
      ...(event.trail && { trail: event.trail }),
      data: event.data as Record<string, unknown>,
    },
  };
}

/**
 * The handler that starts one run of the workflow for each event it listens to, and tells a `run.failed` fact where the
 * state machine could not.
 */
export function startRuns(workflow: Workflow): Handler {
  return consume(starterOf(workflow), async (event) => {
    if (event.type === executionEnded.type) return tellEnd(workflow, event.data as ExecutionEnded);
    const run = runFor(workflow, event);
    refuseTooLarge(run);
    try {
      await sfn().send(
        new StartExecutionCommand({
          stateMachineArn: setting(ENV.stateMachineArn),
          name: run.id,
          input: JSON.stringify({ run }),
        }),
      );
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
    return [];
  });
}

/** Of the executions of other machines whose names begin alike, nothing is told. */
function tellEnd(workflow: Workflow, ended: ExecutionEnded) {
  const { name, status, error, cause, stateMachineArn } = ended;
  if (stateMachineArn !== setting(ENV.stateMachineArn) || !endedUntold(ended)) return [];
  const failed = {
    run: name.replace(/-r\d+$/, ''),
    workflow: workflow.name,
    step: WHOLE_RUN,
    error: error || status,
    cause: cause || `Step Functions reports the execution as ${status}.`,
  };
  return [runFailed.create(failed)];
}

/** No retry makes an event smaller. */
function refuseTooLarge(run: Run): void {
  try {
    checkRun(run);
  } catch (error) {
    throw new NonRetriable((error as Error).message, { cause: error });
  }
}
