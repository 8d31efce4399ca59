import { defineModule } from 'headrace/module';
import { movePlayed } from '../../events/move-played.v1';

export default defineModule({
  name: 'keep-score',
  summary: 'Keeps the position of every game, which depends on the order of its moves',
  on: [movePlayed],
  emits: [],
  stores: { games: 'write' },
  ordered: true,
  concurrency: 5,
});
