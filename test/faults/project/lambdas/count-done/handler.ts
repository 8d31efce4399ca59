import { consume } from 'headrace/runtime';
import { makeEffect } from '../../effects';
import module from './module';

export const handler = consume(module, async ({ id, data: { work } }) => {
  // One row for each work.done event, by its own id: a second event for the same work would be a second row.
  await makeEffect({ token: `${module.name}#${id}`, of: work, by: module.name });
  return [];
});
