import { DEFAULT_RETRY, type Retry, runFailed, type Step } from '../module';

/** What a definition names of the world outside: ARNs, or placeholders for them. */
export interface DefinitionNames {
  /** ARN of a step's function. */
  functionOf(step: Step): string;
  /** Name of the event bus. */
  readonly bus: string;
  /** Name of the bucket of the runs store. */
  readonly runsBucket: string;
  /** `aws`, `aws-cn`, `aws-us-gov`. */
  readonly partition: string;
}

export type State = Readonly<Record<string, unknown>>;
export type States = Readonly<Record<string, State>>;

/** Seconds a state waits beyond its function's own timeout, so that the function's error is the one reported. */
const TIMEOUT_MARGIN_SECONDS = 30;

/** A call of a step's function. Of what it returns only the outcome is kept. */
export function callState(step: Step, payload: object, names: DefinitionNames): State {
  return {
    Type: 'Task',
    Comment: step.summary,
    Resource: integration(names, 'lambda:invoke'),
    Parameters: { FunctionName: names.functionOf(step), Payload: payload },
    ResultSelector: { 'outcome.$': '$.Payload.outcome' },
    TimeoutSeconds: step.timeoutSeconds + TIMEOUT_MARGIN_SECONDS,
    Retry: retryBy(step.retry),
  };
}

/**
 * Puts the `run.failed` fact on the bus, in the envelope of `envelopeSchema`. Its id is that of the run, so that the
 * fact is one fact when both an item and the Map around it tell it. The state holds the failure alone, for beside a
 * large run there may be no room for it; the run is read from the input of the execution.
 */
export function tellState(step: Step, names: DefinitionNames, next: string): State {
  const { source, type, dataschema } = runFailed;
  return {
    Type: 'Task',
    Resource: integration(names, 'events:putEvents'),
    Parameters: {
      Entries: [
        {
          EventBusName: names.bus,
          Source: source,
          DetailType: type,
          Detail: {
            specversion: '1.0',
            'id.$': "States.Format('{}-failed', $$.Execution.Input.run.id)",
            source,
            type,
            'time.$': '$$.State.EnteredTime',
            'subject.$': '$$.Execution.Input.run.id',
            dataschema,
            datacontenttype: 'application/json',
            'correlationid.$': '$$.Execution.Input.run.event.correlationId',
            'causationid.$': '$$.Execution.Input.run.event.id',
            'hops.$': 'States.MathAdd($$.Execution.Input.run.event.hops, 1)',
            data: {
              'run.$': '$$.Execution.Input.run.id',
              'workflow.$': '$$.Execution.Input.run.workflow',
              step: step.name,
              'error.$': '$.Error',
              'cause.$': '$.Cause',
            },
          },
        },
      ],
    },
    ResultPath: null,
    TimeoutSeconds: 60,
    Retry: retryBy(DEFAULT_RETRY),
    Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: next }],
    Next: next,
  };
}

export const failState: State = { Type: 'Fail', ErrorPath: '$.Error', CausePath: '$.Cause' };

export const caughtBy = (next: string) => [{ ErrorEquals: ['States.ALL'], ResultPath: '$', Next: next }];

function retryBy({ attempts, firstDelaySeconds, factor, maxDelaySeconds }: Retry) {
  const grows = maxDelaySeconds > firstDelaySeconds;
  return [
    {
      ErrorEquals: ['States.ALL'],
      IntervalSeconds: grows ? firstDelaySeconds : maxDelaySeconds,
      BackoffRate: grows ? factor : 1,
      MaxAttempts: attempts - 1,
      ...(grows && { MaxDelaySeconds: maxDelaySeconds }),
      JitterStrategy: 'FULL',
    },
  ];
}

export const integration = ({ partition }: DefinitionNames, action: string) => `arn:${partition}:states:::${action}`;
