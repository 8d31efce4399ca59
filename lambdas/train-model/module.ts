import { defineStep } from 'headrace/module';

export default defineStep({
  name: 'train-model',
  summary: 'Trains one trial for one slice of epochs, from checkpoint to checkpoint',
  emits: [],
  stores: { datasets: 'read' },
  memoryMb: 3008,
  timeoutSeconds: 300,
});
