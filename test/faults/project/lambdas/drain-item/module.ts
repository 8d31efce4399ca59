import { defineModule } from 'headrace/module';
import { itemDrained } from '../../events/item-drained.v1';
import { itemQueued } from '../../events/item-queued.v1';

export default defineModule({
  name: 'drain-item',
  summary: 'Works off a backlog, two invocations at once',
  on: [itemQueued],
  emits: [itemDrained],
  concurrency: 2,
  timeoutSeconds: 10,
});
