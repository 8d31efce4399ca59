import { serveStep } from 'headrace/runtime';
import { chooseModel } from './choose-model';
import step from './module';

export const handler = serveStep(step, chooseModel);
