import type { ErrorCode } from '../contract';
import type { ForEachNode, Pace, Step } from '../module';
import { callState, caughtBy, type DefinitionNames, failState, type State, type States, tellState } from './states';

/** A `forEach` with what its states are made from. */
export interface Mapped {
  readonly node: ForEachNode;
  readonly names: DefinitionNames;
  readonly pace: Pace;
}

/** Error of an item that has used up all its chapters. */
const NEVER_ENDS: ErrorCode = 'HR312';

/** Each item is an execution, with a history of its own. */
const DISTRIBUTED = { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } };

/** An item whose step is called once. It tells its failure itself: the Map only knows that too many items failed. */
function plainItem(step: Step, names: DefinitionNames): State {
  const call = `${step.name} item`;
  const failure = failureStates(call, step, names);
  const payload = { 'run.$': '$.run', 'item.$': '$.item' };
  return {
    StartAt: call,
    States: {
      [call]: { ...callState(step, payload, names), Catch: caughtBy(failure.tell), End: true },
      ...failure.states,
    },
  };
}

/**
 * An item whose step is called until it returns `until`. So that no history becomes too long, only so many turns are
 * taken in the item's own execution; then each chapter of as many turns is an execution of its own: a distributed Map
 * of one item, which needs no right that the Map around it does not need.
 */
function repeatedItem({ node: { step }, names, pace }: Mapped, until: string): State {
  const call = `${step.name} item`;
  const next = `${step.name} next chapter`;
  const chapter = `${step.name} chapter`;
  const decide = `${step.name} chapter outcome`;
  const endless = `${step.name} never finished`;
  const done = `${step.name} item finished`;
  const failure = failureStates(call, step, names);
  const turns = pace.turns * (pace.chapters + 1);
  return {
    StartAt: call,
    States: {
      ...turnStates({ step, names, call, until, done, over: next, tell: failure.tell }),
      [next]: {
        Type: 'Pass',
        Parameters: {
          'run.$': '$.run',
          'item.$': '$.item',
          'turns.$': 'States.Array(States.MathAdd($.at.turn, 1))',
          'chapters.$': 'States.MathAdd($.chapters, -1)',
        },
        Next: chapter,
      },
      [chapter]: {
        Type: 'Map',
        ItemsPath: '$.turns',
        ItemSelector: {
          'run.$': '$.run',
          'item.$': '$.item',
          at: { 'turn.$': '$$.Map.Item.Value', left: pace.turns },
        },
        ItemProcessor: { ...DISTRIBUTED, ...chapterStates(step, names, until) },
        MaxConcurrency: 1,
        ResultSelector: { 'turn.$': '$[0].turn', 'outcome.$': '$[0].outcome' },
        ResultPath: '$.at',
        Catch: caughtBy(failure.tell),
        Next: decide,
      },
      [decide]: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.at.outcome', StringEquals: until, Next: done },
          { Variable: '$.chapters', NumericLessThanEquals: 0, Next: endless },
        ],
        Default: next,
      },
      [endless]: {
        Type: 'Pass',
        Result: {
          Error: NEVER_ENDS,
          Cause: `${step.name} took ${turns} turns of one item and did not return '${until}'. Let it come to an end, or do more in a turn.`,
        },
        Next: failure.tell,
      },
      [done]: { Type: 'Pass', Result: { outcome: until }, End: true },
      ...failure.states,
    },
  };
}

/** One chapter: it returns the last turn it took, and what that one decided. */
function chapterStates(step: Step, names: DefinitionNames, until: string): State {
  const call = `${step.name} chapter turn`;
  const over = `${step.name} chapter over`;
  const failure = failureStates(call, step, names);
  return {
    StartAt: call,
    States: {
      ...turnStates({ step, names, call, until, done: over, over, tell: failure.tell }),
      [over]: { Type: 'Pass', Parameters: { 'turn.$': '$.at.turn', 'outcome.$': '$.result.outcome' }, End: true },
      ...failure.states,
    },
  };
}

interface Turns {
  readonly step: Step;
  readonly names: DefinitionNames;
  /** Name of the state that calls the step; those around it begin with it. */
  readonly call: string;
  readonly until: string;
  /** Where to go when the step returned `until`, when no turn is left, and when it failed. */
  readonly done: string;
  readonly over: string;
  readonly tell: string;
}

/** Calls a step turn by turn. The state is `{ run, item, at: { turn, left } }`; `left` counts this turn too. */
function turnStates({ step, names, call, until, done, over, tell }: Turns): States {
  const decide = `${call} outcome`;
  const again = `${call} next turn`;
  return {
    [call]: {
      ...callState(step, { 'run.$': '$.run', 'item.$': '$.item', 'turn.$': '$.at.turn' }, names),
      ResultPath: '$.result',
      Catch: caughtBy(tell),
      Next: decide,
    },
    [decide]: {
      Type: 'Choice',
      Choices: [
        { Variable: '$.result.outcome', StringEquals: until, Next: done },
        { Variable: '$.at.left', NumericLessThanEquals: 1, Next: over },
      ],
      Default: again,
    },
    [again]: {
      Type: 'Pass',
      Parameters: { 'turn.$': 'States.MathAdd($.at.turn, 1)', 'left.$': 'States.MathAdd($.at.left, -1)' },
      ResultPath: '$.at',
      Next: call,
    },
  };
}

/** The end of an execution that cannot go on. */
function failureStates(call: string, step: Step, names: DefinitionNames) {
  const tell = `${call} failed`;
  const fail = `${call} given up`;
  return { tell, states: { [tell]: tellState(step, names, fail), [fail]: failState } };
}

/** The states of one item of a `forEach`, as an execution of its own. */
export function itemProcessor(mapped: Mapped): State {
  const { node, names } = mapped;
  const states = node.until ? repeatedItem(mapped, node.until) : plainItem(node.step, names);
  return { ...DISTRIBUTED, ...states };
}
