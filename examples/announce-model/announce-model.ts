import type { Logic } from 'headrace/runtime';
import { modelAnnounced } from './model-announced.v1';
import type module from './module';

export const announceModel: Logic<typeof module> = async ({ data }) => {
  const message = `${data.model_id} was trained: ${(data.accuracy * 100).toFixed(2)} %`;
  return [modelAnnounced.create({ model_id: data.model_id, message })];
};
