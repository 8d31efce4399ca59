import { consume } from 'headrace/runtime';
import { deployModel } from './deploy-model';
import module from './module';

export const handler = consume(module, deployModel);
