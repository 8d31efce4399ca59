export { type Explored, explore, type Scenario, type Trial } from './explore';
export type { FaultChoice, FaultKind, Faults } from './faults';
export {
  type DeadLetter,
  type HandledEvent,
  type Part,
  type Pipeline,
  type SimulateOptions,
  simulate,
} from './pipeline';
export { simulateProject } from './simulate-project';
export type { Effect, StartedRun } from './world';
