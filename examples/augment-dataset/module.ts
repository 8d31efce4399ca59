import { defineModule, on } from 'headrace/module';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { datasetAugmented } from './dataset-augmented.v1';

export default defineModule({
  name: 'augment-dataset',
  summary: 'Makes more handwritings of a training batch by bending its images a little',
  on: [on(datasetArrived, { purpose: ['training'] })],
  emits: [datasetAugmented],
  stores: { datasets: 'write' },
  timeoutSeconds: 300,
  memoryMb: 1769,
  batchSize: 1,
});
