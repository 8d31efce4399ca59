import { consume } from 'headrace/runtime';
import { announceModel } from './announce-model';
import module from './module';

export const handler = consume(module, announceModel);
