import { defineEvent } from 'headrace/contract';
import * as z from 'zod';
import { gateDecision } from './gate-decision';

export const modelDeployed = defineEvent({
  type: 'model.deployed',
  version: 1,
  summary: 'A model passed the gate and serves from now on',
  subject: 'model_id',
  schema: gateDecision.extend({
    /** The champion it replaced; absent for the first. */
    replaced: z.string().optional(),
  }),
  example: {
    model_id: 'digits-5d41402abc4b2a76',
    dataset: 'digits',
    score: 0.988,
    threshold: 0.9,
    reason: 'first model: 0.9880 on its validation images reaches 0.9000',
    accuracy: 0.987,
    decision: {
      uri: 's3://models/digits/5d41/decision.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 512,
    },
    evaluation: {
      uri: 's3://models/digits/5d41/evaluation.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 20480,
    },
    artifact: {
      uri: 's3://models/digits/5d41/model.safetensors',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 15880,
    },
  },
});
