import { defineModule } from 'headrace/module';
import { recordSent } from '../../events/record-sent.v1';

export default defineModule({
  name: 'judge-record',
  summary: 'Makes one effect for each good record, and suffers the others',
  on: [recordSent],
  emits: [],
  concurrency: 3,
  timeoutSeconds: 4,
  retry: { attempts: 2, firstDelaySeconds: 1, factor: 1, maxDelaySeconds: 1 },
});
