import { consume } from 'headrace/runtime';
import { makeEffect } from '../../effects';
import { workDone } from '../../events/work-done.v1';
import module from './module';

export const handler = consume(module, async ({ data: { work } }, { once }) => {
  await once('effect', (token) => makeEffect({ token, of: work, by: module.name }));
  return [workDone.create({ work })];
});
