import { explore, simulate } from 'headrace/testkit';
import { datasetArrived } from '../../events/dataset/dataset-arrived.v1';
import { datasetAugmented } from '../../examples/augment-dataset/dataset-augmented.v1';
import { handler } from '../../examples/augment-dataset/handler';
import module from '../../examples/augment-dataset/module';
import { writeShard } from '../../vision/shard';
import { digitSamples } from '../support/digits';

test('whatever goes wrong, a batch is augmented once', async () => {
  const shard = await writeShard(digitSamples(20));
  const { faults } = await explore(50, async (trial) => {
    const pipeline = simulate([{ module, handler }], trial);
    const datasets = pipeline.store('datasets');
    const batch = { dataset: 'digits', batch: 'b-1', purpose: 'training' as const };
    const shards = [{ file: 'shard-0000.tar', images: 20 }];
    await datasets.put('inbox/b-1/shard-0000.tar', shard);
    const manifest = await datasets.putJson('inbox/b-1/manifest.json', { ...batch, shards });
    pipeline.publish(datasetArrived.create({ ...batch, manifest, images: 20 }));
    await pipeline.run();
    const augmented = pipeline.emitted(datasetAugmented).map(({ data }) => data);
    expect(augmented).toEqual([expect.objectContaining({ batch: 'b-1-augmented', source_batch: 'b-1' })]);
    expect(pipeline.deadLetters()).toEqual([]);
  });
  expect(faults).toBeGreaterThan(50);
});
