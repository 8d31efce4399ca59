import { defineModule } from 'headrace/module';
import { predictionMade } from '../../events/prediction/prediction-made.v1';
import { predictionRequested } from '../../events/prediction/prediction-requested.v1';

export default defineModule({
  name: 'predict-digit',
  summary: 'Reads an image with the champion, by event and by URL',
  on: [predictionRequested],
  emits: [predictionMade],
  stores: { datasets: 'read', models: 'read' },
  memoryMb: 1024,
  url: true,
});
