import { defineModule } from 'headrace/module';
import { wordSaid } from '../../events/word-said.v1';

export default defineModule({
  name: 'say-word',
  summary: 'Says again what was said, for ever',
  on: [wordSaid],
  emits: [wordSaid],
  cycle: 'nothing but the limit of hops: the experiment is about it',
});
