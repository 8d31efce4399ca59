import { NonRetriable } from 'headrace/contract';
import type { Logic, ReadableStore, UrlLogic } from 'headrace/runtime';
import { champion, championKey } from '../../events/model/champion';
import { predictionMade } from '../../events/prediction/prediction-made.v1';
import { ImageDefect, SIDE } from '../../vision/defects';
import { extractFeatures } from '../../vision/features';
import { decodePng } from '../../vision/image';
import { loadModel, type Network, predict } from '../../vision/network';
import { dequantize, quantize } from '../../vision/pack';
import type module from './module';

interface Serving {
  readonly model_id: string;
  readonly network: Network;
}

/** The champion of each dataset, kept while this process lives; a new one is noticed by its name. */
const serving = new Map<string, Serving>();

/** Answers a question by event. */
export const predictDigit: Logic<typeof module> = async ({ data }, { stores }) => {
  const { request_id, dataset, image } = data;
  const model = await loadChampion(stores.models, dataset);
  if (!model) throw new Error(`no model of ${dataset} has been deployed yet`);
  const png = await stores.datasets.get(stores.datasets.keyOf(image));
  const answer = readDigit(model.network, png, image);
  return [predictionMade.create({ request_id, dataset, image, model_id: model.model_id, ...answer })];
};

/** Answers a PNG sent to the URL: `POST ?dataset=digits`. */
export const predictByUrl: UrlLogic<(typeof module)['stores']> = async (body, { stores, query }) => {
  const dataset = query.dataset ?? 'digits';
  if (body.length === 0) throw new NonRetriable('Send the PNG as the body of a POST request.');
  const model = await loadChampion(stores.models, dataset);
  if (!model) throw new NonRetriable(`No model of ${dataset} has been deployed yet.`);
  return { model_id: model.model_id, ...readDigit(model.network, body, 'the body') };
};

async function loadChampion(models: ReadableStore, dataset: string): Promise<Serving | undefined> {
  const found = await models.findJson(championKey(dataset), champion);
  if (!found) return undefined;
  const { model_id, artifact } = found.value;
  const known = serving.get(dataset);
  if (known?.model_id === model_id) return known;
  const loaded = { model_id, network: loadModel(await models.open(artifact)).network };
  serving.set(dataset, loaded);
  return loaded;
}

/** @throws NonRetriable for what is no readable 28x28 image */
function readDigit(network: Network, png: Uint8Array, name: string): { label: string; confidence: number } {
  const image = decodeOrRefuse(png, name);
  if (image.width !== SIDE || image.height !== SIDE) {
    throw new NonRetriable(`${name} is ${image.width}x${image.height} pixels; ${SIDE}x${SIDE} are expected.`);
  }
  const probabilities = predict(network, dequantize(quantize(extractFeatures(image))));
  const confidence = Math.max(...probabilities);
  return { label: String(probabilities.indexOf(confidence)), confidence };
}

function decodeOrRefuse(png: Uint8Array, name: string) {
  try {
    return decodePng(png);
  } catch (error) {
    if (!(error instanceof ImageDefect)) throw error;
    throw new NonRetriable(`${name} cannot be read: ${error.message}.`, { cause: error });
  }
}
