import { defineWorkflow, forEach, run } from 'headrace/module';
import { labelledImages } from '../events/dataset/labelled-images';
import chooseModel from '../lambdas/choose-model/module';
import cleanDataset from '../lambdas/clean-dataset/module';
import evaluateModel from '../lambdas/evaluate-model/module';
import extractFeatures from '../lambdas/extract-features/module';
import planTrials from '../lambdas/plan-trials/module';
import trainModel from '../lambdas/train-model/module';
import versionDataset from '../lambdas/version-dataset/module';

export default defineWorkflow({
  name: 'train-digits',
  summary: 'From a batch of labelled images to a measured model',
  on: [labelledImages],
  plan: [
    run(cleanDataset, { endOn: ['rejected', 'held-out'] }),
    run(versionDataset, { endOn: ['waiting'] }),
    forEach(extractFeatures, { over: versionDataset }),
    run(planTrials),
    forEach(trainModel, { over: planTrials, until: 'finished' }),
    run(chooseModel),
    run(evaluateModel),
  ],
});
