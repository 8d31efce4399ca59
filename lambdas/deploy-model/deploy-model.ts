import type { DataOf, ObjectRef } from 'headrace/contract';
import type { Logic, WritableStore } from 'headrace/runtime';
import * as z from 'zod';
import { type Champion, champion, championKey, withheldPrefix } from '../../events/model/champion';
import { modelDeployed } from '../../events/model/model-deployed.v1';
import type { modelEvaluated } from '../../events/model/model-evaluated.v1';
import { modelWithheld } from '../../events/model/model-withheld.v1';
import { modelKey } from '../../events/model/run-model';
import { accuracyOf } from '../../vision/classify';
import { loadModel, type Network } from '../../vision/network';
import { unpackFeatures } from '../../vision/pack';
import { gate, type Incumbent } from './gate';
import type module from './module';

type Evaluated = DataOf<typeof modelEvaluated>;

/** The decision as it is kept, with what it rests on. */
const decisionRecord = z.object({
  event: z.string(),
  model_id: z.string(),
  champion: z.string().optional(),
  promote: z.boolean(),
  score: z.number(),
  threshold: z.number(),
  reason: z.string(),
});

type Decision = z.output<typeof decisionRecord>;

/** Times the decision is taken again when another model was promoted meanwhile. */
const ROUNDS = 5;

/**
 * Promotes the model or withholds it. The decision is recorded before it is carried out, and the champion is replaced
 * only if it is still the one compared with: a crash at any point is taken up where it happened.
 */
export const deployModel: Logic<typeof module> = async (event, { stores, log }) => {
  for (let round = 1; round <= ROUNDS; round++) {
    const settled = await settle(stores.models, event);
    if (!settled) continue;
    log.info(settled.type, { reason: settled.data.reason });
    return [settled];
  }
  const { dataset, model_id } = event.data;
  throw new Error(`the champion of ${dataset} changed ${ROUNDS} times while ${model_id} was compared with it`);
};

interface Asked {
  readonly id: string;
  readonly time: string;
  readonly data: Evaluated;
}

/** Decides and carries out; undefined when the champion changed in between. */
async function settle(models: WritableStore, event: Asked) {
  const { dataset, model_id, dataset_version } = event.data;
  const key = modelKey(dataset, model_id, `decision-${event.id}.json`);
  const current = await models.findJson(championKey(dataset), champion);
  const recorded = (await models.findJson(key, decisionRecord))?.value;
  if (recorded?.promote && current && [current.value.model_id, current.value.replaced].includes(model_id)) {
    return fact(event.data, recorded, await models.putJson(key, recorded));
  }
  const decision = await decide(models, event, current?.value);
  const ref = await models.putJson(key, decision);
  if (!decision.promote) {
    await models.put(`${withheldPrefix(dataset)}${dataset_version}`, decision.reason);
    return fact(event.data, decision, ref);
  }
  const next = JSON.stringify(championOf(event.data, event.time, current?.value.model_id));
  const written = await models.replace(championKey(dataset), next, current?.etag);
  return written && fact(event.data, decision, ref);
}

async function decide(models: WritableStore, { id, data }: Asked, current: Champion | undefined): Promise<Decision> {
  const challenger = { model_id: data.model_id, own: data.validation_accuracy };
  // Also where nothing is to be compared: what can't be loaded can't serve.
  const { network } = loadModel(await models.open(data.artifact));
  const verdict = gate(challenger, current && (await compare(models, network, current)));
  return { event: id, model_id: data.model_id, ...(current && { champion: current.model_id }), ...verdict };
}

async function compare(models: WritableStore, network: Network, current: Champion): Promise<Incumbent> {
  const validation = unpackFeatures(await models.open(current.validation));
  const challenger = accuracyOf(network, validation);
  return { model_id: current.model_id, accuracy: current.validation_accuracy, challenger };
}

function championOf(data: Evaluated, since: string, replaced: string | undefined): Champion {
  const { model_id, dataset, dataset_version, artifact, validation, validation_accuracy } = data;
  const served = { model_id, dataset, dataset_version, artifact, validation, validation_accuracy, since };
  return replaced === undefined ? served : { ...served, replaced };
}

function fact(data: Evaluated, decision: Decision, ref: ObjectRef) {
  const { model_id, dataset, accuracy, evaluation, artifact } = data;
  const { score, threshold, reason, champion: other } = decision;
  const common = { model_id, dataset, score, threshold, reason, accuracy, decision: ref, evaluation, artifact };
  return decision.promote
    ? modelDeployed.create({ ...common, ...(other && { replaced: other }) })
    : modelWithheld.create({ ...common, ...(other && { champion: other }) });
}
