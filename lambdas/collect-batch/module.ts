import { objectCreated } from 'headrace/contract';
import { defineModule, on } from 'headrace/module';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { predictionRequested } from '../../events/prediction/prediction-requested.v1';

export default defineModule({
  name: 'collect-batch',
  summary:
    'Turns uploads into facts: a manifest is a batch, a labelled image a batch of one, any other image a question',
  on: [
    on(objectCreated('datasets'), {
      object: { key: [{ wildcard: 'inbox/*/manifest.json' }, { wildcard: 'inbox/*/images/*.png' }] },
    }),
  ],
  emits: [datasetArrived, predictionRequested],
  stores: { datasets: 'write' },
});
