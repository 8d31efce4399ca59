import * as z from 'zod';
import { batchSummary, poolPrefix } from '../../events/dataset/batch-summary';
import { featuresKey, RUN_VERSION } from '../../events/dataset/dataset-version';
import { modelEvaluated } from '../../events/model/model-evaluated.v1';
import { RUN_MODEL, runModel } from '../../events/model/run-model';
import { trial, trialName, trialResult } from '../../events/model/trial';
import { chooseModel } from '../../lambdas/choose-model/choose-model';
import { evaluateModel } from '../../lambdas/evaluate-model/evaluate-model';
import { extractFeatures } from '../../lambdas/extract-features/extract-features';
import { planTrials } from '../../lambdas/plan-trials/plan-trials';
import { publishReport } from '../../lambdas/publish-report/publish-report';
import { trainModel } from '../../lambdas/train-model/train-model';
import { versionOf } from '../../lambdas/version-dataset/version-dataset';
import { itemsKey } from '../../lib/module';
import { runKey } from '../../lib/runtime';
import { loadModel } from '../../vision/network';
import { packImages, unpackFeatures } from '../../vision/pack';
import { packedDigits } from '../support/digits';
import { memoryStore } from '../support/memory-store';
import { lateRefusal } from '../support/refusal';
import { eventOf, runOf, workContext } from '../support/work';

const run = runOf({});
const TRAINING = packImages(packedDigits(300));
const HELD_OUT = packImages(packedDigits(60, 1000));

/** A run whose dataset version is fixed: 300 training digits in one pack, 60 held out in another. */
async function world() {
  const [datasets, models] = [memoryStore('datasets'), memoryStore('models')];
  const context = workContext({ datasets, models });
  const pack = { ...(await datasets.put('batches/a.bin', TRAINING)), images: 300 };
  const held = { ...(await datasets.put('batches/h.bin', HELD_OUT)), images: 60 };
  const common = { dataset: 'digits', time: '2026-01-02T03:04:05.000Z', quality: 1, threshold: 0.9, reasons: [] };
  const summary = (id: string, more: object) =>
    batchSummary.parse({ ...common, id, batch: id, accepted: 1, quarantined: [], ...more });
  const version = versionOf('digits', [summary('a', { purpose: 'training', outcome: 'cleaned', packs: [pack] })]);
  await context.runs.putJson(runKey(run, RUN_VERSION), version);
  await datasets.putJson(
    `${poolPrefix('digits', 'held-out')}h.json`,
    summary('h', { purpose: 'holdout', outcome: 'held-out', packs: [held] }),
  );
  return { datasets, models, context, pack, version };
}

type World = Awaited<ReturnType<typeof world>>;

/** The first trial of the plan, cut to two epochs of one slice each. */
async function planned({ context, pack }: World) {
  await extractFeatures({ run, item: pack, turn: 0 }, context);
  const { items = [] } = await planTrials({ run, turn: 0 }, context);
  const first = trial.parse(items[0]);
  return { ...first, hyperparameters: { ...first.hyperparameters, epochs: 2 }, epochs_per_slice: 1 };
}

describe('extracting features', () => {
  test('describes a pack once, whatever run asks', async () => {
    const { context, datasets, pack } = await world();
    expect(await extractFeatures({ run, item: pack, turn: 0 }, context)).toEqual({ outcome: 'extracted' });
    const features = unpackFeatures(await datasets.get(featuresKey(pack)));
    expect(features).toMatchObject({ rows: 300, dims: 392 });
    expect(await extractFeatures({ run: runOf({}, 'later'), item: pack, turn: 0 }, context)).toEqual({
      outcome: 'known',
    });
  });

  test('fails when the pack is not the one the version names', async () => {
    const { context, datasets, pack } = await world();
    await datasets.put('batches/a.bin', 'changed');
    expect((await lateRefusal(extractFeatures({ run, item: pack, turn: 0 }, context))).code).toBe('HR307');
  });
});

describe('planning trials', () => {
  test('says that the features are there, and lists trials that come in slices', async () => {
    const { context, pack, version } = await world();
    await extractFeatures({ run, item: pack, turn: 0 }, context);
    const { outcome, items = [], events = [] } = await planTrials({ run, turn: 0 }, context);
    expect(outcome).toBe('planned');
    const trials = z.array(trial).parse(items);
    expect(trials.map((each) => each.trial)).toEqual(trials.map((_, i) => i));
    for (const each of trials) expect(each.epochs_per_slice).toBeLessThan(each.hyperparameters.epochs);
    const [fact] = events;
    const data = fact?.data as { train_images: number; validation_images: number };
    expect(data).toMatchObject({ dataset_version: version.version, shards: 1, dims: 392 });
    expect(data.train_images + data.validation_images).toBe(300);
    expect(data.validation_images).toBeGreaterThan(0);
  });
});

describe('training', () => {
  test('goes from checkpoint to checkpoint until the last epoch, and leaves a model', async () => {
    const all = await world();
    const item = await planned(all);
    const { runs } = all.context;
    expect(await trainModel({ run, item, turn: 0 }, all.context)).toEqual({ outcome: 'unfinished' });
    expect(await runs.list(runKey(run, 'trials/'))).toEqual([runKey(run, 'trials/0/checkpoint-0.bin')]);
    expect(await trainModel({ run, item, turn: 1 }, all.context)).toEqual({ outcome: 'finished' });
    const result = await runs.getJson(runKey(run, trialName(0, 'result.json')), trialResult);
    expect(result.learning_curve.map(({ epoch }) => epoch)).toEqual([0, 1]);
    expect(result.validation_accuracy).toBeGreaterThan(0.5);
    expect(loadModel(await runs.open(result.model)).meta).toMatchObject({ dataset_version: all.version.version });
  });

  test('a slice that was cut short and done again gives the same bytes', async () => {
    const all = await world();
    const item = await planned(all);
    for (const turn of [0, 1]) await trainModel({ run, item, turn }, all.context);
    const before = new Map(all.context.runs.bucket.objects);
    for (const turn of [1, 0, 1]) await trainModel({ run, item, turn }, all.context);
    expect(all.context.runs.bucket.objects).toEqual(before);
  });

  test('fails when the checkpoint of the turn before is not there', async () => {
    const all = await world();
    const item = await planned(all);
    expect((await lateRefusal(trainModel({ run, item, turn: 1 }, all.context))).code).toBe('HR306');
  });
});

describe('choosing and evaluating', () => {
  async function chosen() {
    const all = await world();
    const { context } = all;
    const item = await planned(all);
    await context.runs.putJson(itemsKey(run.id, 'plan-trials'), [item]);
    for (const turn of [0, 1]) await trainModel({ run, item, turn }, context);
    const result = await chooseModel({ run, turn: 0 }, context);
    const model = await context.runs.getJson(runKey(run, RUN_MODEL), runModel);
    return { ...all, result, model };
  }

  test('the best trial becomes a model whose name is a hash of its bytes', async () => {
    const { result, models, model, version } = await chosen();
    expect(result).toMatchObject({
      outcome: 'chosen',
      events: [{ type: 'model.trained', data: { model_id: model.model_id, dataset_version: version.version } }],
    });
    expect(model.model_id).toBe(`digits-${model.artifact.sha256.slice(0, 12)}`);
    expect(loadModel(await models.open(model.artifact)).network.dims).toBe(392);
    expect(unpackFeatures(await models.open(model.validation)).rows).toBeGreaterThan(0);
  });

  test('the model is measured on the held-out images', async () => {
    const { context, model } = await chosen();
    const { outcome, events = [] } = await evaluateModel({ run, turn: 0 }, context);
    expect(outcome).toBe('evaluated');
    const [fact] = events;
    expect(fact?.data).toMatchObject({
      model_id: model.model_id,
      test_images: 60,
      validation_accuracy: model.best.validation_accuracy,
      artifact: model.artifact,
    });
    expect(modelEvaluated.schema.parse(fact?.data).accuracy).toBeGreaterThan(0.5);
  });

  test('two runs that come to the same model have an evaluation and a report each', async () => {
    const { context, models, model } = await chosen();
    const second = runOf({}, 'train-digits-2');
    for (const [name, object] of [
      [RUN_MODEL, model],
      [RUN_VERSION, await context.runs.getJson(runKey(run, RUN_VERSION), z.json())],
    ] as const) {
      await context.runs.putJson(runKey(second, name), object);
    }
    const measured = [];
    for (const each of [run, second]) {
      const { events = [] } = await evaluateModel({ run: each, turn: 0 }, context);
      measured.push(modelEvaluated.schema.parse(events[0]?.data));
    }
    const reports = [];
    for (const [i, type] of (['model.deployed', 'model.withheld'] as const).entries()) {
      const { model_id, dataset, accuracy, evaluation, artifact } = measured[i]!;
      const decision = { score: 1, threshold: 1, reason: 'so', decision: artifact };
      const fact = eventOf(type, { model_id, dataset, accuracy, evaluation, artifact, ...decision });
      reports.push(...(await publishReport(fact as Parameters<typeof publishReport>[0], workContext({ models }))));
    }
    const pages = [];
    for (const { data } of reports) {
      const { report } = data as { report: typeof model.artifact };
      pages.push(Buffer.from(await models.open(report)).toString());
    }
    expect(pages).toEqual([expect.stringContaining('<b>Deployed</b>'), expect.stringContaining('<b>Withheld</b>')]);
  });

  /** Holds out another batch of these digits. */
  async function holdOut({ datasets }: World, id: string, digits: Uint8Array) {
    const [key] = await datasets.list(poolPrefix('digits', 'held-out'));
    const summary = await datasets.getJson(key!, batchSummary);
    const packs = [{ ...(await datasets.put(`batches/${id}.bin`, digits)), images: 1 }];
    await datasets.putJson(`${poolPrefix('digits', 'held-out')}${id}.json`, { ...summary, id, packs });
  }

  test('held-out images that came twice are counted once, and those it was trained on not at all', async () => {
    const all = await chosen();
    await holdOut(all, 'again', HELD_OUT);
    await holdOut(all, 'leak', packImages([...packedDigits(50), ...packedDigits(5, 2000)]));
    const { events = [] } = await evaluateModel({ run, turn: 0 }, all.context);
    expect(events[0]?.data).toMatchObject({ test_images: 65 });
  });

  test('fails when every held-out image was trained on', async () => {
    const all = await chosen();
    await holdOut(all, 'h', packImages(packedDigits(50)));
    expect((await lateRefusal(evaluateModel({ run, turn: 0 }, all.context))).message).toMatch(/HR306.*trained on/);
  });

  test('fails, and says what to upload, when nothing was held out', async () => {
    const { context, datasets } = await chosen();
    for (const key of await datasets.list(poolPrefix('digits', 'held-out'))) datasets.bucket.objects.delete(key);
    const error = await lateRefusal(evaluateModel({ run, turn: 0 }, context));
    expect(error.code).toBe('HR306');
    expect(error.message).toContain('"purpose": "holdout"');
  });
});
