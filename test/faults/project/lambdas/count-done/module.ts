import { defineModule } from 'headrace/module';
import { workDone } from '../../events/work-done.v1';

export default defineModule({
  name: 'count-done',
  summary: 'Counts the work that is done',
  on: [workDone],
  emits: [],
  timeoutSeconds: 5,
});
