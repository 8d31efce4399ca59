import { itemsKey, type Pace, paceOf, type RunNode, resultsPrefix, type Workflow } from '../module';
import { itemProcessor, type Mapped } from './item-states';
import {
  callState,
  caughtBy,
  type DefinitionNames,
  failState,
  integration,
  type State,
  type States,
  tellState,
} from './states';

const FINISHED = 'Finished';
const ENDED_EARLY = 'Ended early';
const FAILED = 'Failed';

/**
 * The Amazon States Language definition of a workflow. Its state is `{ run, result }`, both small: what steps work on
 * lies in the stores. Every task retries; what still fails becomes a `run.failed` fact, and then the end of the run.
 *
 * @param pace only for tests. @default - the longest chapters whose history fits, see `paceOf`
 */
export function definitionOf(workflow: Workflow, names: DefinitionNames, pace?: Pace): State {
  const { plan } = workflow;
  const states = plan.map((node, i) => {
    const next = plan[i + 1]?.step.name ?? FINISHED;
    return node.node === 'run'
      ? runStates(node, next, names)
      : mapStates({ node, names, pace: pace ?? paceOf(node.step) }, next);
  });
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

function mapStates(mapped: Mapped, next: string): States {
  const { node, names, pace } = mapped;
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
      ItemSelector: {
        'run.$': '$.run',
        'item.$': '$$.Map.Item.Value',
        ...(until && { at: { turn: 0, left: pace.turns }, chapters: pace.chapters }),
      },
      ItemProcessor: itemProcessor(mapped),
      MaxConcurrency: concurrency,
      // What all items return would come together in the state, which has room for the words of some ten thousand.
      ResultWriter: {
        Resource: integration(names, 's3:putObject'),
        WriterConfig: { Transformation: 'COMPACT', OutputType: 'JSON' },
        Parameters: {
          Bucket: names.runsBucket,
          'Prefix.$': `States.Format('${resultsPrefix('{}', step.name)}', $.run.id)`,
        },
      },
      ResultPath: null,
      Catch: caughtBy(failed),
      Next: next,
    },
    [failed]: tellState(step, names, FAILED),
  };
}
