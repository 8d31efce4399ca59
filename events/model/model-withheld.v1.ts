import { defineEvent } from 'headrace/contract';
import * as z from 'zod';
import { gateDecision } from './gate-decision';

export const modelWithheld = defineEvent({
  type: 'model.withheld',
  version: 1,
  summary: 'A model did not pass the gate; the champion keeps serving',
  subject: 'model_id',
  schema: gateDecision.extend({
    /** Who keeps serving; absent when no model has passed yet. */
    champion: z.string().optional(),
  }),
  example: {
    model_id: 'digits-7d793037a0760186',
    dataset: 'digits',
    score: 0.941,
    threshold: 0.988,
    reason: 'the champion digits-5d41402abc4b2a76 is better on its validation images: 0.9880 against 0.9410',
    accuracy: 0.94,
    champion: 'digits-5d41402abc4b2a76',
    decision: {
      uri: 's3://models/digits/7d79/decision.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 512,
    },
    evaluation: {
      uri: 's3://models/digits/7d79/evaluation.json',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 20480,
    },
    artifact: {
      uri: 's3://models/digits/7d79/model.safetensors',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      bytes: 15880,
    },
  },
});
