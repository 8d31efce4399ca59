import { defineModule } from 'headrace/module';
import { workDone } from '../../events/work-done.v1';
import { workRequested } from '../../events/work-requested.v1';

export default defineModule({
  name: 'do-work',
  summary: 'Makes one effect for each request and tells of it',
  on: [workRequested],
  emits: [workDone],
  concurrency: 3,
  timeoutSeconds: 5,
  // Workers are killed again and again through no fault of the event: it has to outlive more deaths than by default.
  retry: { attempts: 20, firstDelaySeconds: 1, factor: 2, maxDelaySeconds: 10 },
});
