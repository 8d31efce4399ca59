import * as z from 'zod';
import { defineEvent } from '../contract';

/** The fact every failed run ends in, whatever its workflow. Emitted by the state machine itself, or by its starter. */
export const runFailed = defineEvent({
  type: 'run.failed',
  version: 1,
  summary: 'A run of a workflow could not go on',
  subject: 'run',
  schema: z.object({
    run: z.string(),
    workflow: z.string(),
    /** The state that gave up; `(the whole run)` when it was stopped or failed past every state. */
    step: z.string(),
    /** Error name as Step Functions reports it. */
    error: z.string(),
    /** The cause, as Step Functions reports it. */
    cause: z.string(),
  }),
  example: {
    run: 'train-digits-0f3c2a9e51d84b7796a2c1e0d4b85f6a',
    workflow: 'train-digits',
    step: 'train-model',
    error: 'Sandbox.Timedout',
    cause: 'RequestId: 6f1d Error: Task timed out after 60.00 seconds',
  },
});
