import { consume } from 'headrace/runtime';
import { augmentDataset } from './augment-dataset';
import module from './module';

export const handler = consume(module, augmentDataset);
