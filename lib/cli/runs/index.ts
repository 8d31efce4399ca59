export { type Resumed, resumeRun } from './resume-run';
export { findRun, listRuns, type RunItem } from './run-list';
export { type RunDetails, showRun } from './show-run';
