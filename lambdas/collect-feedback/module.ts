import { defineModule } from 'headrace/module';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { feedbackReceived } from '../../events/feedback/feedback-received.v1';

export default defineModule({
  name: 'collect-feedback',
  summary: 'Makes corrected images a batch of the next dataset version',
  on: [feedbackReceived],
  emits: [datasetArrived],
  stores: { datasets: 'write' },
});
