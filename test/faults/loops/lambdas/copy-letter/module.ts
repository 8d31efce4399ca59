import { objectCreated } from 'headrace/contract';
import { defineModule } from 'headrace/module';

export default defineModule({
  name: 'copy-letter',
  summary: 'Copies every letter into the store it came from, for ever',
  on: [objectCreated('letters')],
  emits: [],
  stores: { letters: 'write' },
  cycle: 'nothing but the limit of hops: the experiment is about it',
});
