import { consume } from 'headrace/runtime';
import { announceChampion } from './announce-champion';
import module from './module';

export const handler = consume(module, announceChampion);
