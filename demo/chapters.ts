import type { SeenEvent, Stage } from 'headrace/cli';
import type { DataOf } from 'headrace/contract';
import { OUTPUT } from 'headrace/module';
import type { WritableStore } from 'headrace/runtime';
import { callFunctionUrl } from 'headrace/target';
import type { datasetCleaned } from '../events/dataset/dataset-cleaned.v1';
import type { datasetRejected } from '../events/dataset/dataset-rejected.v1';
import type { featuresExtracted } from '../events/features/features-extracted.v1';
import { feedbackReceived } from '../events/feedback/feedback-received.v1';
import type { modelDeployed } from '../events/model/model-deployed.v1';
import type { predictionMade } from '../events/prediction/prediction-made.v1';
import type { reportPublished } from '../events/report/report-published.v1';
import { augment } from '../vision/augment';
import { encodePng } from '../vision/image';
import { readMnist } from '../vision/mnist';
import { writeShard } from '../vision/shard';
import { spoil } from '../vision/spoil';
import { digits, type Shard, shardsOf } from './shards';
import { DATASET, uploadBatch } from './upload';

export interface Play {
  readonly stage: Stage;
  readonly datasets: WritableStore;
}

/** Images of the demo's bad batch, the mislabelled batch, and the questions. */
const BAD = 200;
const MISLABELLED = 4000;
const QUESTIONS = 200;

/** Uploads at once. */
const PARALLEL = 16;

/** Seconds a full training may take. */
const PATIENCE = { timeoutSeconds: 1200 };

/** The last event a wait saw, with its data typed by its contract. */
type Seen<C> = SeenEvent & { readonly data: DataOf<C> };

async function wait<C extends { readonly type: string }>(
  { stage }: Play,
  type: C['type'],
  where: (data: Readonly<Record<string, unknown>>) => boolean,
): Promise<Seen<C>> {
  const event = await stage.waitFor((seen) => seen.type === type && where(seen.data), { ...PATIENCE, describe: type });
  return event as Seen<C>;
}

/** A few images of the first shard are spoiled, as in life: the batch is still good enough. */
export async function withSomeDefects(shards: readonly Shard[]): Promise<Shard[]> {
  const damages = { truncated: 12, blank: 8, duplicate: 10, 'impossible-label': 6, corrupt: 4 };
  const { samples } = spoil(digits('train', 0, shards[0]?.images ?? 0), damages, 1);
  return [{ bytes: await writeShard(samples), images: samples.length }, ...shards.slice(1)];
}

export async function firstModel(play: Play, train: readonly Shard[], holdout: readonly Shard[]) {
  const { datasets } = play;
  await uploadBatch(datasets, { dataset: DATASET, batch: 'holdout', purpose: 'holdout' }, holdout);
  await uploadBatch(datasets, { dataset: DATASET, batch: 'batch-1', purpose: 'training' }, train);
  const cleaned = await wait<typeof datasetCleaned>(play, 'dataset.cleaned', ({ batch }) => batch === 'batch-1');
  const features = await wait<typeof featuresExtracted>(
    play,
    'features.extracted',
    ({ run }) => run === cleaned.data.run,
  );
  return { cleaned, features };
}

/** What the gate decided about the model that follows from `after`. */
export function decisionAfter({ stage }: Play, after: SeenEvent): Promise<Seen<typeof modelDeployed>> {
  return stage.waitFor(
    ({ type, correlationId }) =>
      ['model.deployed', 'model.withheld'].includes(type) && correlationId === after.correlationId,
    { ...PATIENCE, describe: "the gate's decision" },
  ) as Promise<Seen<typeof modelDeployed>>;
}

/** A batch that is mostly rubbish takes the rejected path. */
export async function badBatch(play: Play) {
  const damages = { truncated: 40, blank: 30, 'impossible-label': 20, 'missing-label': 10 };
  const { samples } = spoil(digits('train', 20_000, 20_000 + BAD), damages, 2);
  await uploadBatch(
    play.datasets,
    { dataset: DATASET, batch: 'batch-2', purpose: 'training' },
    await shardsOf(samples),
  );
  return wait<typeof datasetRejected>(play, 'dataset.rejected', ({ batch }) => batch === 'batch-2');
}

/**
 * A batch whose images are fine and whose labels are not: only the gate can tell. The images are new handwritings, as
 * known ones would keep the label they have.
 */
export async function mislabelledBatch(play: Play) {
  const count = play.stage.full ? 3 * MISLABELLED : MISLABELLED;
  const good = readMnist('train', 0, count).map(({ image, label }, i) => ({
    key: `bent-${String(i).padStart(5, '0')}`,
    png: encodePng(augment(image, i)[1]!),
    label: String(label),
  }));
  const { samples } = spoil(good, { 'wrong-label': count - 100 }, 3);
  await uploadBatch(
    play.datasets,
    { dataset: DATASET, batch: 'batch-3', purpose: 'training' },
    await shardsOf(samples),
  );
  const cleaned = await wait<typeof datasetCleaned>(play, 'dataset.cleaned', ({ batch }) => batch === 'batch-3');
  return decisionAfter(play, cleaned);
}

export interface Answers {
  readonly made: number;
  readonly wrong: readonly { readonly image: string; readonly label: string }[];
}

/**
 * Single PNG uploads without a label are questions. They are new handwritings: training digits, bent a little.
 * What the model answers is compared with what was drawn.
 */
export async function askQuestions(play: Play): Promise<Answers> {
  const truth = new Map<string, string>();
  const drawn = readMnist('train', 10, 10 + QUESTIONS).map(({ image, label }, i) => {
    const key = `inbox/${DATASET}/images/unlabelled/question-${String(i).padStart(3, '0')}.png`;
    truth.set(play.datasets.uri(key), String(label));
    return { key, png: encodePng(augment(image, i)[0]!) };
  });
  for (let i = 0; i < drawn.length; i += PARALLEL) {
    const some = drawn.slice(i, i + PARALLEL);
    await Promise.all(some.map(({ key, png }) => play.datasets.put(key, png, { contentType: 'image/png' })));
  }
  const answers = new Map<string, string>();
  for await (const { type, data } of play.stage.events) {
    if (type !== 'prediction.made') continue;
    const { image, label } = data as DataOf<typeof predictionMade>;
    answers.set(image, label);
    if (answers.size === truth.size) break;
  }
  const wrong = [...answers].filter(([image, label]) => truth.get(image) !== label);
  return { made: answers.size, wrong: wrong.map(([image]) => ({ image, label: truth.get(image)! })) };
}

/** What the model got wrong comes back with the right label and starts the next round. */
export async function giveFeedback(play: Play, wrong: Answers['wrong']) {
  // Answers come in any order; sorted, they make the same batch every time.
  const corrections = [...wrong].sort((a, b) => a.image.localeCompare(b.image));
  await play.stage.publish([feedbackReceived.create({ feedback_id: 'corrections-1', dataset: DATASET, corrections })]);
  const cleaned = await wait<typeof datasetCleaned>(play, 'dataset.cleaned', ({ batch }) => batch === 'corrections-1');
  return decisionAfter(play, cleaned);
}

/** One image to the function URL, signed. */
export async function askByUrl({ stage }: Play): Promise<{ label: string; model_id: string; drawn: string }> {
  const { image, label } = readMnist('train', 50_000, 50_001)[0]!;
  const url = stage.outputs[OUTPUT.url('predict-digit')] ?? '';
  const answer = await callFunctionUrl(stage.target, url, { body: encodePng(image), query: { dataset: DATASET } });
  if (answer.status !== 200) throw new Error(`the function URL answered ${answer.status}: ${answer.body}`);
  return { ...(JSON.parse(answer.body) as { label: string; model_id: string }), drawn: String(label) };
}

export function reportOf(play: Play, modelId: string) {
  return wait<typeof reportPublished>(play, 'report.published', ({ model_id }) => model_id === modelId);
}
