import { champion, championKey, withheldPrefix } from '../../events/model/champion';
import { deployModel } from '../../lambdas/deploy-model/deploy-model';
import type { ObjectRef } from '../../lib/contract';
import { accuracyOf } from '../../vision/classify';
import { memoryStore } from '../support/memory-store';
import { digitFeatures, putModel, putValidation, trained, untrained } from '../support/models';
import { eventOf, workContext } from '../support/work';

const validation = digitFeatures(100, 1000);
const good = trained(digitFeatures(700));
const bad = untrained(validation);
const accuracy = accuracyOf(good, validation);

let models = memoryStore('models');
beforeEach(() => {
  models = memoryStore('models');
});

interface Candidate {
  readonly network?: typeof good;
  readonly own?: number;
  readonly event?: string;
}

/** The event that says how good a model is, with the model and its validation images in the store. */
async function evaluated(
  model_id: string,
  { network = good, own = accuracy, event = `event-${model_id}` }: Candidate = {},
) {
  const artifact = await putModel(models, model_id, network);
  const data = {
    model_id,
    dataset: 'digits',
    dataset_version: `version-${model_id}`,
    run: 'train-digits-1',
    accuracy: 0.5,
    test_images: 100,
    validation_accuracy: own,
    evaluation: artifact,
    artifact,
    validation: await putValidation(models, model_id, validation),
  };
  return eventOf('model.evaluated', data, event);
}

const deploy = (event: Awaited<ReturnType<typeof evaluated>>) => deployModel(event, workContext({ models }));
const serving = () => models.getJson(championKey('digits'), champion);
const dataOf = (fact: { data: unknown } | undefined) => fact?.data as { score: number; decision: ObjectRef };
const decisionOf = async (fact: { data: unknown } | undefined) =>
  JSON.parse(Buffer.from(await models.open(dataOf(fact).decision)).toString());

test('a first model that is good enough serves, and the decision is kept with what it rests on', async () => {
  const event = await evaluated('a', { own: 0.95 });
  const [fact] = await deploy(event);
  expect(fact).toMatchObject({
    type: 'model.deployed',
    data: { model_id: 'a', score: 0.95, threshold: 0.9, artifact: event.data.artifact, accuracy: 0.5 },
  });
  expect(fact?.data).not.toHaveProperty('replaced');
  expect(await serving()).toMatchObject({
    model_id: 'a',
    dataset_version: 'version-a',
    validation_accuracy: 0.95,
    since: event.time,
  });
  expect(await decisionOf(fact)).toMatchObject({ event: 'event-a', model_id: 'a', promote: true, score: 0.95 });
});

test('a first model that is not good enough is withheld, and its version is remembered', async () => {
  const [fact] = await deploy(await evaluated('a', { own: 0.89 }));
  expect(fact).toMatchObject({ type: 'model.withheld', data: { model_id: 'a', score: 0.89, threshold: 0.9 } });
  expect(await models.find(championKey('digits'))).toBeUndefined();
  expect(await models.list(withheldPrefix('digits'))).toEqual(['withheld/digits/version-a']);
});

test('a model no worse than the champion replaces it, measured on the images of the champion', async () => {
  await deploy(await evaluated('a', { own: 0.9 }));
  const [fact] = await deploy(await evaluated('b', { own: 0.1 }));
  expect(fact).toMatchObject({
    type: 'model.deployed',
    data: { model_id: 'b', replaced: 'a', score: accuracy, threshold: 0.9 },
  });
  expect((await serving()).model_id).toBe('b');
});

test('a model worse than the champion is withheld, however good it says it is', async () => {
  await deploy(await evaluated('a', { own: 0.9 }));
  const [fact] = await deploy(await evaluated('b', { network: bad, own: 1 }));
  expect(fact).toMatchObject({ type: 'model.withheld', data: { model_id: 'b', champion: 'a', threshold: 0.9 } });
  expect(dataOf(fact).score).toBeLessThan(0.5);
  expect((await serving()).model_id).toBe('a');
  expect(await models.list(withheldPrefix('digits'))).toEqual(['withheld/digits/version-b']);
});

test('the champion evaluated again changes nothing', async () => {
  await deploy(await evaluated('a', { own: 0.95 }));
  const [fact] = await deploy(await evaluated('a', { own: 0.95, event: 'event-later' }));
  expect(fact).toMatchObject({ type: 'model.withheld', data: { model_id: 'a', champion: 'a' } });
  expect((await serving()).since).toBe((await evaluated('a')).time);
});

test('after a crash between promotion and commit, the recorded decision stands', async () => {
  await deploy(await evaluated('a', { own: 0.9 }));
  const event = await evaluated('b');
  const [before] = await deploy(event);
  const [after] = await deploy(event);
  expect(after).toEqual(before);
  expect(after).toMatchObject({ type: 'model.deployed', data: { replaced: 'a' } });
});

test('after a crash between decision and promotion, the promotion is done', async () => {
  const event = await evaluated('a', { own: 0.95 });
  models.bucket.beforePut = (key) => {
    if (key === championKey('digits')) throw new Error('killed');
  };
  await expect(deploy(event)).rejects.toThrow('killed');
  expect(await models.list('digits/a/decision')).toEqual(['digits/a/decision-event-a.json']);
  models.bucket.beforePut = () => undefined;
  expect(await deploy(event)).toMatchObject([{ type: 'model.deployed' }]);
  expect((await serving()).model_id).toBe('a');
});

test('a champion that changed in between is compared with anew', async () => {
  const late = await evaluated('late', { own: 0.95 });
  const quick = await evaluated('quick', { own: 1 });
  let overtaken = false;
  models.bucket.beforePut = (key) => {
    if (key !== championKey('digits') || overtaken) return;
    overtaken = true;
    models.bucket.objects.set(key, Buffer.from(JSON.stringify({ ...asChampion(quick.data), since: quick.time })));
  };
  const [fact] = await deploy(late);
  expect(overtaken).toBe(true);
  expect(fact).toMatchObject({ type: 'model.withheld', data: { champion: 'quick', threshold: 1 } });
  expect(await decisionOf(fact)).toMatchObject({ champion: 'quick', promote: false });
});

test('fails, to be tried again, when the champion changes under every comparison', async () => {
  const event = await evaluated('a', { own: 0.95 });
  let changes = 0;
  models.bucket.beforePut = (key) => {
    if (key !== championKey('digits')) return;
    changes += 1;
    const other = {
      ...asChampion(event.data),
      model_id: `other-${changes}`,
      validation_accuracy: 0,
      since: event.time,
    };
    models.bucket.objects.set(key, Buffer.from(JSON.stringify(other)));
  };
  await expect(deploy(event)).rejects.toThrow('the champion of digits changed 5 times while a was compared with it');
});

function asChampion(data: Awaited<ReturnType<typeof evaluated>>['data']) {
  const { model_id, dataset, dataset_version, artifact, validation: images, validation_accuracy } = data;
  return { model_id, dataset, dataset_version, artifact, validation: images, validation_accuracy };
}
