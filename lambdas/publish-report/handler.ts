import { consume } from 'headrace/runtime';
import module from './module';
import { publishReport } from './publish-report';

export const handler = consume(module, publishReport);
