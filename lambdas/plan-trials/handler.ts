import { serveStep } from 'headrace/runtime';
import step from './module';
import { planTrials } from './plan-trials';

export const handler = serveStep(step, planTrials);
