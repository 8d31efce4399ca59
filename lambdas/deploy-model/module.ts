import { defineModule } from 'headrace/module';
import { modelDeployed } from '../../events/model/model-deployed.v1';
import { modelEvaluated } from '../../events/model/model-evaluated.v1';
import { modelWithheld } from '../../events/model/model-withheld.v1';

export default defineModule({
  name: 'deploy-model',
  summary: 'Gates a model against the champion: promotes it, or withholds it and records why',
  on: [modelEvaluated],
  emits: [modelDeployed, modelWithheld],
  stores: { models: 'write' },
  memoryMb: 1024,
});
