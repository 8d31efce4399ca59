import type { Logic } from 'headrace/runtime';
import { championAnnounced } from './champion-announced.v1';
import type module from './module';

export const announceChampion: Logic<typeof module> = async ({ data }) => {
  const message = `${data.model_id} serves now (${(data.accuracy * 100).toFixed(2)} %)`;
  return [championAnnounced.create({ model_id: data.model_id, message })];
};
