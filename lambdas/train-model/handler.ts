import { serveStep } from 'headrace/runtime';
import step from './module';
import { trainModel } from './train-model';

export const handler = serveStep(step, trainModel);
