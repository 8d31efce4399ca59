import { championKey } from '../../events/model/champion';
import { predictByUrl, predictDigit } from '../../lambdas/predict-digit/predict-digit';
import { NonRetriable } from '../../lib/contract';
import { encodePng } from '../../vision/image';
import type { Network } from '../../vision/network';
import { digitSamples } from '../support/digits';
import { memoryStore } from '../support/memory-store';
import { digitFeatures, putModel, trained, untrained } from '../support/models';
import { lateRefusal } from '../support/refusal';
import { eventOf, workContext } from '../support/work';

const features = digitFeatures(400);
const good = trained(features);
const [sample] = digitSamples(1);
const png = sample!.png;
const IMAGE = 's3://datasets/inbox/a.png';
const asked = (image = IMAGE) => eventOf('prediction.requested', { request_id: 'r-1', dataset: 'digits', image });

let [datasets, models] = [memoryStore('datasets'), memoryStore('models')];
beforeEach(() => {
  [datasets, models] = [memoryStore('datasets'), memoryStore('models')];
});

async function serve(model_id: string, network: Network = good) {
  const artifact = await putModel(models, model_id, network);
  const since = '2026-01-01T00:00:00.000Z';
  const rest = { dataset: 'digits', dataset_version: 'v', validation: artifact, validation_accuracy: 1, since };
  await models.putJson(championKey('digits'), { model_id, artifact, ...rest });
}

const ask = (event = asked()) => predictDigit(event, workContext({ datasets, models }));
const askByUrl = (body: Uint8Array, query: Record<string, string> = { dataset: 'digits' }) =>
  predictByUrl(body, { stores: { datasets, models }, query });

const confidenceOf = (fact: { data: unknown } | undefined) =>
  Number((fact?.data as { confidence?: number })?.confidence);
const large = encodePng({ width: 29, height: 28, pixels: new Uint8Array(29 * 28) });

describe('by event', () => {
  test('reads an image with the champion', async () => {
    await serve('by-event-1');
    await datasets.put('inbox/a.png', png);
    const [fact] = await ask();
    expect(fact).toMatchObject({
      type: 'prediction.made',
      data: { request_id: 'r-1', dataset: 'digits', image: IMAGE, model_id: 'by-event-1', label: sample!.label },
    });
    expect(confidenceOf(fact)).toBeGreaterThan(0.5);
  });

  test('notices a new champion', async () => {
    await datasets.put('inbox/a.png', png);
    await serve('by-event-2');
    const [before] = await ask();
    await serve('by-event-3', untrained(features));
    const [after] = await ask();
    expect(after?.data).toMatchObject({ model_id: 'by-event-3' });
    expect(confidenceOf(after)).toBeLessThan(confidenceOf(before));
  });

  test('loads the champion once', async () => {
    await datasets.put('inbox/a.png', png);
    await serve('by-event-4');
    await ask();
    models.bucket.objects.delete('digits/by-event-4/model.safetensors');
    expect(await ask()).toHaveLength(1);
  });

  test('fails, to be tried again, while there is no model', async () => {
    const refused = ask();
    await expect(refused).rejects.toThrow('no model of digits has been deployed yet');
    await expect(refused).rejects.not.toThrow(NonRetriable);
  });

  test('fails, to be tried again, while the image is not there', async () => {
    await serve('by-event-5');
    expect((await lateRefusal(ask())).code).toBe('HR306');
  });

  test.each([
    ['is no picture', Buffer.from('hello'), /inbox\/a\.png cannot be read/],
    ['is cut short', png.slice(0, 100), /cannot be read/],
    ['has another size', large, /is 29x28 pixels; 28x28 are expected/],
  ])('refuses for good an image that %s', async (_, bytes, told) => {
    await serve('by-event-6');
    await datasets.put('inbox/a.png', bytes);
    await expect(ask()).rejects.toThrow(NonRetriable);
    await expect(ask()).rejects.toThrow(told);
  });
});

describe('by URL', () => {
  test('answers with label, confidence and model', async () => {
    await serve('by-url-1');
    expect(await askByUrl(png)).toEqual({
      model_id: 'by-url-1',
      label: sample!.label,
      confidence: expect.any(Number),
    });
  });

  test('asks the model of the digits when no dataset is named', async () => {
    await serve('by-url-2');
    expect(await askByUrl(png, {})).toMatchObject({ model_id: 'by-url-2' });
  });

  test.each([
    ['is empty', new Uint8Array(), /Send the PNG as the body/],
    ['is no picture', Buffer.from('hello'), /the body cannot be read/],
    ['has another size', large, /the body is 29x28 pixels/],
  ])('refuses for good a body that %s', async (_, body, told) => {
    await serve('by-url-3');
    await expect(askByUrl(body)).rejects.toThrow(NonRetriable);
    await expect(askByUrl(body)).rejects.toThrow(told);
  });

  test('refuses for good a dataset that has no model', async () => {
    await serve('by-url-4');
    await expect(askByUrl(png, { dataset: 'letters' })).rejects.toThrow(/No model of letters has been deployed yet/);
  });
});
