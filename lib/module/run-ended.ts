import * as z from 'zod';
import { defineAwsEvent } from '../contract';

/** Errors that end an execution past all its catches (Step Functions developer guide, "Handling errors"). */
const UNCATCHABLE: readonly string[] = ['States.Runtime', 'States.DataLimitExceeded'];

/** What Step Functions says on the account's default bus when an execution has ended. */
export const executionEnded = defineAwsEvent({
  type: 'states.execution-ended',
  source: 'aws.states',
  detailType: 'Step Functions Execution Status Change',
  summary: 'An execution of a state machine ended',
  schema: z.object({
    executionArn: z.string(),
    stateMachineArn: z.string(),
    /** The run, with `-r<n>` for its n-th resumption. */
    name: z.string(),
    status: z.string(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
  subject: ({ name }) => name,
});

export type ExecutionEnded = z.output<typeof executionEnded.schema>;

/** Whether the state machine could not tell this end itself: it was stopped from outside, or failed past its catches. */
export function endedUntold({ status, error }: ExecutionEnded): boolean {
  return status === 'TIMED_OUT' || status === 'ABORTED' || (status === 'FAILED' && UNCATCHABLE.includes(error ?? ''));
}
