import { defineModule } from 'headrace/module';
import { wordNoted } from '../../events/word-noted.v1';

export default defineModule({
  name: 'note-word',
  summary: 'Writes an item whose stream brings the word back, which no declaration shows',
  on: [wordNoted],
  emits: [],
});
