import { serveStep } from 'headrace/runtime';
import step from './module';
import { versionDataset } from './version-dataset';

export const handler = serveStep(step, versionDataset);
