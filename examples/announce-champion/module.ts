import { defineModule } from 'headrace/module';
import { modelDeployed } from '../../events/model/model-deployed.v1';
import { championAnnounced } from './champion-announced.v1';

export default defineModule({
  name: 'announce-champion',
  summary: 'Tells everybody which model serves now',
  on: [modelDeployed],
  emits: [championAnnounced],
});
