import { defineStep } from 'headrace/module';
import { modelTrained } from '../../events/model/model-trained.v1';

export default defineStep({
  name: 'choose-model',
  summary: 'Keeps the trial that does best on the validation images',
  emits: [modelTrained],
  stores: { datasets: 'read', models: 'write' },
  memoryMb: 1769,
});
