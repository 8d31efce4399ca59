import { defineStep } from 'headrace/module';

export default defineStep({
  name: 'extract-features',
  summary: 'Deskews the images of one shard and describes them by gradient histograms',
  emits: [],
  stores: { datasets: 'write' },
  memoryMb: 1769,
});
