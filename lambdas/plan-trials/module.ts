import { defineStep } from 'headrace/module';
import { featuresExtracted } from '../../events/features/features-extracted.v1';

export default defineStep({
  name: 'plan-trials',
  summary: 'Says that the features are there and lists the hyperparameters to try',
  emits: [featuresExtracted],
  stores: { datasets: 'read' },
});
