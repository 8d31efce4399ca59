import { GetQueueAttributesCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { interruptTraining, resumed } from '../../demo/interrupt';
import { digits, shardsOf as inShards } from '../../demo/shards';
import { uploadBatch } from '../../demo/upload';
import { feedbackReceived } from '../../events/feedback/feedback-received.v1';
import { champion, championKey } from '../../events/model/champion';
import { predictionRequested } from '../../events/prediction/prediction-requested.v1';
import type { SeenEvent } from '../../lib/cli/stage';
import { OUTPUT } from '../../lib/module';
import { callFunctionUrl } from '../../lib/target';
import { loadModel } from '../../vision/network';
import type { RawSample } from '../../vision/shard';
import { type Damages, spoil } from '../../vision/spoil';
import { Deployed, ROOT } from './support/deployed';

jest.setTimeout(240_000);

const app = new Deployed(ROOT, 'pipeline');

beforeAll(() => app.start());
afterAll(() => app.stop());

const shardsOf = (samples: readonly RawSample[]) => inShards(samples, 500);

/** Uploads training digits `from`..`to`, some of them damaged, and waits for the batch to be cleaned or rejected. */
async function train(dataset: string, batch: string, range: { from: number; to: number; damages?: Damages }) {
  const { samples, expected } = spoil(digits('train', range.from, range.to), range.damages ?? {}, 7);
  await uploadBatch(app.store('datasets'), { dataset, batch, purpose: 'training' }, await shardsOf(samples));
  return {
    cleaned: await app.event('dataset.cleaned', { dataset, batch }),
    expected,
  };
}

async function holdout(dataset: string): Promise<void> {
  const shards = await shardsOf(digits('test', 0, 500));
  await uploadBatch(app.store('datasets'), { dataset, batch: 'holdout', purpose: 'holdout' }, shards);
  await app.event('dataset.cleaned', { dataset, batch: 'holdout' });
}

const decided = (after: SeenEvent) => app.follows(after, 'model.deployed', 'model.withheld');

async function currentChampion(dataset: string) {
  return app.store('models').getJson(championKey(dataset), champion);
}

describe('a batch of images with some bad ones among them', () => {
  let first: SeenEvent;
  let cleaned: SeenEvent;

  test('becomes a deployed model, stage by stage', async () => {
    await holdout('digits');
    const damages = { truncated: 5, blank: 5, duplicate: 5, 'impossible-label': 5 };
    const uploaded = await train('digits', 'batch-1', { from: 0, to: 2000, damages });
    cleaned = uploaded.cleaned;
    expect(cleaned.data).toMatchObject({ accepted: 1980, quarantined: 20, purpose: 'training' });
    first = await decided(cleaned);
    expect(first.type).toBe('model.deployed');
    expect(first.data.accuracy).toBeGreaterThan(0.94);
    const chain = app.log.all().filter(({ correlationId }) => correlationId === cleaned.correlationId);
    expect(chain.map(({ type }) => type)).toEqual([
      'dataset.arrived',
      'dataset.cleaned',
      'features.extracted',
      'model.trained',
      'model.evaluated',
      'model.deployed',
    ]);
  });

  test('has each bad image quarantined with its reason', async () => {
    const summary = JSON.parse(Buffer.from(await app.store('datasets').open(cleaned.data.summary as never)).toString());
    const reasons = summary.quarantined.map(({ reason }: { reason: string }) => reason).sort();
    expect(reasons).toEqual([
      ...Array(5).fill('blank'),
      ...Array(5).fill('duplicate'),
      ...Array(5).fill('impossible-label'),
      ...Array(5).fill('truncated'),
    ]);
  });

  test('gets a report that can be opened', async () => {
    const published = await app.event('report.published', { model_id: first.data.model_id });
    const html = Buffer.from(await app.store('models').open(published.data.report as never)).toString();
    expect(html).toContain(String(first.data.model_id));
    expect(html).toMatch(/^<!doctype html>/);
  });

  test('gives a model file that loads', async () => {
    const { network } = loadModel(await app.store('models').open(first.data.artifact as never));
    expect(network.classes).toBe(10);
  });
});

test('a batch below the quality threshold is rejected, with its bad images named, and nothing is trained', async () => {
  const { samples } = spoil(digits('train', 3000, 3200), { truncated: 60, blank: 40 }, 7);
  await uploadBatch(
    app.store('datasets'),
    { dataset: 'digits', batch: 'rubbish', purpose: 'training' },
    await shardsOf(samples),
  );
  const rejected = await app.event('dataset.rejected', { batch: 'rubbish' });
  expect(rejected.data.quality).toBeLessThan(rejected.data.threshold as number);
  expect((rejected.data.bad_images as unknown[]).length).toBe(25);
  expect((rejected.data.reasons as string[])[0]).toMatch(/60 of 200 samples truncated/);
  expect(
    app.log
      .all()
      .filter((e) => e.correlationId === rejected.correlationId)
      .map((e) => e.type),
  ).toEqual(['dataset.arrived', 'dataset.rejected']);
});

test('a model worse than the champion is withheld, and the champion keeps serving', async () => {
  const before = await currentChampion('digits');
  const { cleaned } = await train('digits', 'mislabelled', { from: 4000, to: 6000, damages: { 'wrong-label': 1999 } });
  const verdict = await decided(cleaned);
  expect(verdict.type).toBe('model.withheld');
  expect(verdict.data.reason).toMatch(/worse than the champion/);
  expect(await currentChampion('digits')).toEqual(before);
});

test('a question by event and one by URL are answered by the champion', async () => {
  const { model_id } = await currentChampion('digits');
  const [sample] = digits('train', 8000, 8001);
  const key = 'inbox/digits/images/unlabelled/q-1.png';
  await app.store('datasets').put(key, sample!.png);
  const made = await app.event('prediction.made', { request_id: 'q-1' });
  expect(made.data).toMatchObject({ model_id, label: sample!.label });
  const url = app.pipeline.output(OUTPUT.url('predict-digit'));
  const answer = await callFunctionUrl(app.target, url, { body: sample!.png, query: { dataset: 'digits' } });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject({ model_id, label: sample!.label });
  const refused = await callFunctionUrl(app.target, url, { body: Buffer.from('no image') });
  expect(refused.status).toBe(400);
});

test('corrected labels make the next dataset version and start the next round', async () => {
  const corrections = digits('train', 9000, 9040).map(async ({ png, label, key }) => {
    const image = `inbox/digits/images/unlabelled/${key}.png`;
    await app.store('datasets').put(image, png);
    return { image: app.store('datasets').uri(image), label: label! };
  });
  await app.publish(
    feedbackReceived.create({ feedback_id: 'f-1', dataset: 'digits', corrections: await Promise.all(corrections) }),
  );
  const arrived = await app.event('dataset.arrived', { batch: 'f-1' });
  expect(arrived.data.purpose).toBe('feedback');
  const features = await app.follows(arrived, 'features.extracted');
  const version = features.data.dataset_version as string;
  const { batches } = JSON.parse(
    Buffer.from(await app.store('datasets').get(`versions/digits/${version}.json`)).toString(),
  );
  expect(batches.map(({ batch }: { batch: string }) => batch)).toEqual(['batch-1', 'f-1']);
  await decided(arrived);
});

test('a training run killed in mid-slice goes on from its checkpoints and gives the same model', async () => {
  const interrupted = 'digits-interrupted';
  await holdout(interrupted);
  const { samples } = spoil(
    digits('train', 0, 2000),
    { truncated: 5, blank: 5, duplicate: 5, 'impossible-label': 5 },
    7,
  );
  await uploadBatch(
    app.store('datasets'),
    { dataset: interrupted, batch: 'batch-1', purpose: 'training' },
    await shardsOf(samples),
  );
  const { data } = await app.event('features.extracted', { dataset: interrupted });
  const run = String(data.run);
  const reach = { target: app.target, outputs: app.pipeline.outputs, clients: app.pipeline.clients };
  const interruption = await interruptTraining(reach, run);
  expect(interruption?.killed).toBeGreaterThan(0);
  const model = await app.event('model.trained', { dataset: interrupted });
  expect(await resumed(reach, run, interruption)).toBe(true);
  const undisturbed = await app.event('model.trained', { dataset: 'digits' });
  expect(sha256Of(model)).toBe(sha256Of(undisturbed));
});

const sha256Of = ({ data }: SeenEvent) => (data.artifact as { sha256: string }).sha256;

test('a message that is no event is parked with its reason, and its siblings are handled', async () => {
  const { sqs } = app.pipeline.clients;
  const queue = app.pipeline.output(OUTPUT.queue('predict-digit'));
  const letters = app.pipeline.output(OUTPUT.deadLetterQueue('predict-digit'));
  const key = 'inbox/digits/images/unlabelled/q-1.png';
  const good = predictionRequested.create({
    request_id: 'q-2',
    dataset: 'digits',
    image: app.store('datasets').uri(key),
  });
  await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: queue,
      Entries: [
        { Id: '1', MessageBody: '{"accuracy": "high"}' },
        { Id: '2', MessageBody: 'not json' },
      ],
    }),
  );
  await app.publish(good);
  await app.event('prediction.made', { request_id: 'q-2' });
  const count = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: letters, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages);
  };
  while ((await count()) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await count()).toBe(2);
});
