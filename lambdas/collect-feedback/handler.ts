import { consume } from 'headrace/runtime';
import { collectFeedback } from './collect-feedback';
import module from './module';

export const handler = consume(module, collectFeedback);
