import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stage } from 'headrace/cli';
import type { DataOf } from 'headrace/contract';
import { cacheFolder } from 'headrace/target';
import type { modelEvaluated } from '../events/model/model-evaluated.v1';
import * as chapters from './chapters';
import { interruptTraining, resumed } from './interrupt';
import { digitShards } from './shards';
import { storeOn } from './upload';

/** Images uploaded for training: more than 10,000 remain after the bad ones are taken out. */
const QUICK = 11_000;
const FULL = 60_000;

/** From raw images to a served model, with everything that can go wrong on the way. */
export default async function story(stage: Stage): Promise<Record<string, unknown>> {
  const play = { stage, datasets: storeOn(stage, 'datasets') };
  const trainCount = stage.full ? FULL : QUICK;
  stage.say(
    `Uploading ${trainCount.toLocaleString('en')} training images and 10,000 held-out ones as PNG files in tar shards; some are broken.`,
  );
  const train = await chapters.withSomeDefects(await digitShards(stage.project, 'train', trainCount));
  const { cleaned, features } = await chapters.firstModel(
    play,
    train,
    await digitShards(stage.project, 'test', 10_000),
  );
  const { run } = cleaned.data;

  stage.say('Three candidates are trained in slices of epochs, each slice from a checkpoint to the next.');
  const interruption = await interruptTraining(stage, run);
  if (interruption)
    stage.say(`Killed ${interruption.killed} training processes in mid-slice. The run goes on from its checkpoints.`);
  const first = await chapters.decisionAfter(play, cleaned);
  const resumedFromCheckpoint = await resumed(stage, run, interruption);
  if (resumedFromCheckpoint) stage.say('Resumed: no finished slice was trained again.');
  stage.say(verdict(first));

  stage.say('A batch that is half rubbish arrives, and questions: single images without a label.');
  const [rejected, answers] = await Promise.all([chapters.badBatch(play), chapters.askQuestions(play)]);
  const { quality, threshold } = rejected.data;
  stage.say(`Rejected: quality ${quality.toFixed(2)} is below ${threshold}. Nothing was trained on it.`);
  stage.say(`${answers.made} predictions made; ${answers.wrong.length} were wrong and go back corrected.`);
  const second = answers.wrong.length > 0 ? await chapters.giveFeedback(play, answers.wrong) : first;
  stage.say(verdict(second));

  stage.say('A batch arrives whose images are fine and whose labels are wrong: only the gate can tell.');
  const third = await chapters.mislabelledBatch(play);
  stage.say(verdict(third));
  await chapters.reportOf(play, third.data.model_id);

  const champion = [third, second, first].find(({ type }) => type === 'model.deployed') ?? first;
  const championId = champion.data.model_id;
  const byUrl = await chapters.askByUrl(play);
  stage.say(`One more prediction, by URL: ${byUrl.model_id} reads ${byUrl.label}; drawn was ${byUrl.drawn}.`);

  const evaluated = await stage.waitFor(
    ({ type, data }) => type === 'model.evaluated' && data.model_id === championId,
    { describe: 'the evaluation of the champion' },
  );
  const { accuracy, test_images } = evaluated.data as DataOf<typeof modelEvaluated>;
  return {
    accuracy,
    trainImages: features.data.train_images + features.data.validation_images,
    testImages: test_images,
    quarantined: cleaned.data.quarantined + rejected.data.quarantined,
    modelSha256: champion.data.artifact.sha256,
    championId,
    predictions: answers.made + 1,
    resumedFromCheckpoint,
    report: await saveReport(play, championId),
  };
}

/** The gate's decision in words. */
function verdict({ type, data }: Awaited<ReturnType<typeof chapters.decisionAfter>>): string {
  return `${type === 'model.deployed' ? 'Deployed' : 'Withheld'} ${data.model_id}: ${data.reason}.`;
}

async function saveReport(play: chapters.Play, championId: string): Promise<string> {
  const { data } = await chapters.reportOf(play, championId);
  const models = storeOn(play.stage, 'models');
  const folder = join(cacheFolder(play.stage.project), 'reports');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${championId}.html`);
  await writeFile(file, await models.open(data.report));
  return file;
}
