import { defineStep } from 'headrace/module';
import { datasetCleaned } from '../../events/dataset/dataset-cleaned.v1';
import { datasetRejected } from '../../events/dataset/dataset-rejected.v1';

export default defineStep({
  name: 'clean-dataset',
  summary: 'Decodes, validates and de-duplicates a batch, quarantines bad images with the reason, scores the quality',
  emits: [datasetCleaned, datasetRejected],
  stores: { datasets: 'write' },
  memoryMb: 2048,
  timeoutSeconds: 600,
});
