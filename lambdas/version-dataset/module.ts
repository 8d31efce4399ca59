import { defineStep } from 'headrace/module';

export default defineStep({
  name: 'version-dataset',
  summary: 'Fixes which batches and images this run trains on, and lists the shards',
  emits: [],
  stores: { datasets: 'write', models: 'read' },
});
