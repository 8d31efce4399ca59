import {
  DEFAULT_RETRY,
  type ForEachNode,
  itemsKey,
  type PlanNode,
  type Retry,
  type RunNode,
  runFailed,
  type Step,
  type Workflow,
} from '../module';

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

type State = Readonly<Record<string, unknown>>;
type States = Readonly<Record<string, State>>;

const FINISHED = 'Finished';
const ENDED_EARLY = 'Ended early';
const FAILED = 'Failed';

/** Seconds a state waits beyond its function's own timeout, so that the function's error is the one reported. */
const TIMEOUT_MARGIN_SECONDS = 30;

/**
 * The Amazon States Language definition of a workflow. Its state is `{ run, result }`, both small: what steps work on
 * lies in the stores. Every task retries; what still fails becomes a `run.failed` fact, and then the end of the run.
 */
export function definitionOf(workflow: Workflow, names: DefinitionNames): State {
  const { plan } = workflow;
  const states = plan.map((node, i) => statesOf(node, plan[i + 1]?.step.name ?? FINISHED, names));
  const endsEarly = plan.some((node) => node.node === 'run' && node.endOn.length > 0);
  return {
    Comment: workflow.summary,
    StartAt: plan[0]?.step.name,
    States: {
      ...Object.assign({}, ...states),
      [FINISHED]: { Type: 'Succeed' },
      ...(endsEarly && { [ENDED_EARLY]: { Type: 'Succeed' } }),
      [FAILED]: failState,
    },
  };
}

function statesOf(node: PlanNode, next: string, names: DefinitionNames): States {
  return node.node === 'run' ? runStates(node, next, names) : mapStates(node, next, names);
}

function runStates({ step, endOn }: RunNode, next: string, names: DefinitionNames): States {
  const { name } = step;
  const decide = `${name} outcome`;
  const failed = `${name} failed`;
  return {
    [name]: {
      ...callState(step, { 'run.$': '$.run' }, names),
      ResultPath: '$.result',
      Catch: caughtBy(failed),
      Next: endOn.length > 0 ? decide : next,
    },
    ...(endOn.length > 0 && {
      [decide]: {
        Type: 'Choice',
        Choices: endOn.map((outcome) => ({
          Variable: '$.result.outcome',
          StringEquals: outcome,
          Next: ENDED_EARLY,
        })),
        Default: next,
      },
    }),
    [failed]: tellState(step, names, FAILED),
  };
}

function mapStates(node: ForEachNode, next: string, names: DefinitionNames): States {
  const { step, over, concurrency, until } = node;
  const failed = `${step.name} failed`;
  return {
    [step.name]: {
      Type: 'Map',
      ItemReader: {
        Resource: integration(names, 's3:getObject'),
        ReaderConfig: { InputType: 'JSON' },
        Parameters: {
          Bucket: names.runsBucket,
          'Key.$': `States.Format('${itemsKey('{}', over.name)}', $.run.id)`,
        },
      },
      ItemSelector: { 'run.$': '$.run', 'item.$': '$$.Map.Item.Value', ...(until && { turn: 0 }) },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
        ...itemStates(node, names),
      },
      MaxConcurrency: concurrency,
      ResultPath: null,
      Catch: caughtBy(failed),
      Next: next,
    },
    [failed]: tellState(step, names, FAILED),
  };
}

/**
 * What happens to one item. An item tells its failure itself: outside, the Map only knows that too many items failed.
 * Its output is one word, because the outputs of all items come together in one state.
 */
function itemStates({ step, until }: ForEachNode, names: DefinitionNames): State {
  const call = `${step.name} item`;
  const decide = `${step.name} item outcome`;
  const again = `${step.name} item next turn`;
  const done = `${step.name} item finished`;
  const tell = `${step.name} item failed`;
  const fail = `${step.name} item given up`;
  const end: States = { [tell]: tellState(step, names, fail), [fail]: failState };
  const payload = { 'run.$': '$.run', 'item.$': '$.item' };
  if (!until) {
    return {
      StartAt: call,
      States: { [call]: { ...callState(step, payload, names), Catch: caughtBy(tell), End: true }, ...end },
    };
  }
  return {
    StartAt: call,
    States: {
      [call]: {
        ...callState(step, { ...payload, 'turn.$': '$.turn' }, names),
        ResultPath: '$.result',
        Catch: caughtBy(tell),
        Next: decide,
      },
      [decide]: {
        Type: 'Choice',
        Choices: [{ Variable: '$.result.outcome', StringEquals: until, Next: done }],
        Default: again,
      },
      [again]: {
        Type: 'Pass',
        Parameters: { ...payload, 'turn.$': 'States.MathAdd($.turn, 1)' },
        Next: call,
      },
      [done]: { Type: 'Pass', OutputPath: '$.result', End: true },
      ...end,
    },
  };
}

/** A call of a step's function. Of what it returns only the outcome is kept. */
function callState(step: Step, payload: object, names: DefinitionNames): State {
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
 * fact is one fact when both an item and the Map around it tell it.
 */
function tellState(step: Step, names: DefinitionNames, next: string): State {
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
            'id.$': "States.Format('{}-failed', $.run.id)",
            source,
            type,
            'time.$': '$$.State.EnteredTime',
            'subject.$': '$.run.id',
            dataschema,
            datacontenttype: 'application/json',
            'correlationid.$': '$.run.event.correlationId',
            'causationid.$': '$.run.event.id',
            'hops.$': 'States.MathAdd($.run.event.hops, 1)',
            data: {
              'run.$': '$.run.id',
              'workflow.$': '$.run.workflow',
              step: step.name,
              'error.$': '$.failure.Error',
              'cause.$': '$.failure.Cause',
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

const failState: State = { Type: 'Fail', ErrorPath: '$.failure.Error', CausePath: '$.failure.Cause' };

const caughtBy = (next: string) => [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: next }];

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

const integration = ({ partition }: DefinitionNames, action: string) => `arn:${partition}:states:::${action}`;
