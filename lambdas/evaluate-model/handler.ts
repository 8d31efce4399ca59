import { serveStep } from 'headrace/runtime';
import { evaluateModel } from './evaluate-model';
import step from './module';

export const handler = serveStep(step, evaluateModel);
