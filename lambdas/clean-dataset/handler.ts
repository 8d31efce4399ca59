import { serveStep } from 'headrace/runtime';
import { cleanDataset } from './clean-dataset';
import step from './module';

export const handler = serveStep(step, cleanDataset);
