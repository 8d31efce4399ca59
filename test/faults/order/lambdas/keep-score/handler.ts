import { consume } from 'headrace/runtime';
import { keepScore } from './keep-score';
import module from './module';

export const handler = consume(module, keepScore);
