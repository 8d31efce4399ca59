import { defineModule } from 'headrace/module';
import { modelTrained } from '../../events/model/model-trained.v1';
import { modelAnnounced } from './model-announced.v1';

export default defineModule({
  name: 'announce-model',
  summary: 'Tells everybody of each new model',
  on: [modelTrained],
  emits: [modelAnnounced],
});
