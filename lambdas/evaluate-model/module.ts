import { defineStep } from 'headrace/module';
import { modelEvaluated } from '../../events/model/model-evaluated.v1';

export default defineStep({
  name: 'evaluate-model',
  summary: 'Measures a model on the held-out images',
  emits: [modelEvaluated],
  stores: { datasets: 'write', models: 'write' },
  memoryMb: 1769,
});
