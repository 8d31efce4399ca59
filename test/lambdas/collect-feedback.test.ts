import { batchManifest } from '../../events/dataset/batch-manifest';
import { collectFeedback } from '../../lambdas/collect-feedback/collect-feedback';
import { readShard } from '../../vision/shard';
import { digitSamples } from '../support/digits';
import { memoryStore } from '../support/memory-store';
import { lateRefusal } from '../support/refusal';
import { eventOf, workContext } from '../support/work';

const samples = digitSamples(2);
const corrections = samples.map((_, i) => ({ image: `s3://datasets/inbox/${i}.png`, label: String(i) }));
const feedback = (more: object = {}) =>
  eventOf('feedback.received', { feedback_id: 'f-1', dataset: 'digits', corrections, ...more });

async function inbox() {
  const datasets = memoryStore('datasets');
  for (const [i, { png }] of samples.entries()) await datasets.put(`inbox/${i}.png`, png);
  return datasets;
}

test('corrections become a batch whose labels are the corrected ones', async () => {
  const datasets = await inbox();
  const [fact] = await collectFeedback(feedback(), workContext({ datasets }));
  const { manifest, ...data } = fact!.data as { manifest: Parameters<typeof datasets.open>[0] };
  expect(data).toEqual({ dataset: 'digits', batch: 'f-1', purpose: 'feedback', images: 2 });
  const { shards } = batchManifest.parse(JSON.parse(Buffer.from(await datasets.open(manifest)).toString()));
  expect(shards).toEqual([{ file: 'shard-0000.tar', images: 2 }]);
  const found = [];
  for await (const each of readShard(await datasets.get('feedback/digits/event-1/shard-0000.tar'))) found.push(each);
  expect(found).toEqual([
    { key: 'f-1-000', png: samples[0]!.png, label: '0' },
    { key: 'f-1-001', png: samples[1]!.png, label: '1' },
  ]);
});

test('fails, to be tried again, when an image is not there', async () => {
  const missing = feedback({ corrections: [{ image: 's3://datasets/inbox/9.png', label: '1' }] });
  expect((await lateRefusal(collectFeedback(missing, workContext({ datasets: await inbox() })))).code).toBe('HR306');
});

test('refuses an image of another bucket', async () => {
  const foreign = feedback({ corrections: [{ image: 's3://elsewhere/9.png', label: '1' }] });
  expect((await lateRefusal(collectFeedback(foreign, workContext({ datasets: await inbox() })))).code).toBe('HR308');
});
