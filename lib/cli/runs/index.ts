export { type ListedRun, withOutcomes } from './outcomes';
export { type ResumedRun, resumable, resumeAll } from './resume-all';
export { resumeInterrupted } from './resume-interrupted';
export { type Resumed, resumeRun, rootOf } from './resume-run';
export { findRun, listRuns, type RunItem, workflowsOf } from './run-list';
export { type RunDetails, showRun } from './show-run';
