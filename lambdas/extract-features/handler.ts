import { serveStep } from 'headrace/runtime';
import { extractFeatures } from './extract-features';
import step from './module';

export const handler = serveStep(step, extractFeatures);
