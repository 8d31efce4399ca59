import { defineModule } from 'headrace/module';
import { modelDeployed } from '../../events/model/model-deployed.v1';
import { modelWithheld } from '../../events/model/model-withheld.v1';
import { reportPublished } from '../../events/report/report-published.v1';

export default defineModule({
  name: 'publish-report',
  summary: 'Writes the page that shows how good a model is and where it errs',
  on: [modelDeployed, modelWithheld],
  emits: [reportPublished],
  stores: { models: 'write' },
});
