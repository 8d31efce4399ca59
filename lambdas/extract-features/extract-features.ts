import { objectRef } from 'headrace/contract';
import type { StepLogic } from 'headrace/runtime';
import { featuresKey } from '../../events/dataset/dataset-version';
import { describePack } from '../../vision/describe-pack';
import type step from './module';

/** Describes one pack of images; a pack that an earlier run has described is left alone. */
export const extractFeatures: StepLogic<typeof step> = async ({ item }, { stores }) => {
  const pack = objectRef.parse(item);
  const key = featuresKey(pack);
  const there = await stores.datasets.list(key);
  if (there.length > 0) return { outcome: 'known' };
  await stores.datasets.put(key, describePack(await stores.datasets.open(pack)));
  return { outcome: 'extracted' };
};
