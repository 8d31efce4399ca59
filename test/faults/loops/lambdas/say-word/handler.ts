import { consume } from 'headrace/runtime';
import { wordSaid } from '../../events/word-said.v1';
import module from './module';

export const handler = consume(module, async ({ data }) => [wordSaid.create(data)]);
