export { type Cycle, cyclePath, MAX_CYCLES, refuseCycles } from './cycles';
export { constructId, DEFAULT_MAX_HOPS, ENV, JOURNAL, OUTPUT, orderKey } from './environment';
export { type Graph, type GraphEvent, graphOf } from './graph';
export { type Pace, paceOf } from './history';
export { fits, fitsWildcard, passes } from './match';
export { type DraftFor, defineModule, type EventFor, type Module, type ModuleOptions } from './module';
export type { GraphModule } from './nodes';
export { discover, type Found, type Project } from './project';
export { membersOf, type RulePlan, ruleFor, typesOf } from './rules';
export { type ExecutionEnded, endedUntold, executionEnded } from './run-ended';
export { runFailed } from './run-failed';
export { type Access, DEFAULT_RETRY, type Retry, type StoreAccess, type WorkSettings } from './settings';
export {
  defineStep,
  itemsKey,
  RUNS_STORE,
  type Run,
  resultsPrefix,
  runSchema,
  type Step,
  type StepInput,
  type StepOptions,
  type StepOutput,
  stepInputSchema,
} from './step';
export { type Matcher, type On, on, type Subscribable, type Where } from './subscribe';
export {
  defineWorkflow,
  type ForEachNode,
  forEach,
  type PlanNode,
  type RunNode,
  run,
  starterOf,
  stepsOf,
  type Workflow,
  type WorkflowOptions,
} from './workflow';
