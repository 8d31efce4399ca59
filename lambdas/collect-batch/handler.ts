import { consume } from 'headrace/runtime';
import { collectBatch } from './collect-batch';
import module from './module';

export const handler = consume(module, collectBatch);
