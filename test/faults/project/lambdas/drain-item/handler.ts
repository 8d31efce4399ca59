import { consume } from 'headrace/runtime';
import { makeEffect } from '../../effects';
import { itemDrained } from '../../events/item-drained.v1';
import module from './module';

export const handler = consume(module, async ({ data: { item } }, { once }) => {
  await once('effect', (token) => makeEffect({ token, of: item, by: module.name }));
  return [itemDrained.create({ item })];
});
