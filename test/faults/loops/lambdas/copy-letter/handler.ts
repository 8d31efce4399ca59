import { consume } from 'headrace/runtime';
import module from './module';

/** `chain-1/7` becomes `chain-1/8`. */
export const handler = consume(module, async ({ subject }, { stores }) => {
  const [chain, copy] = subject.split('/');
  await stores.letters.put(`${chain}/${Number(copy) + 1}`, 'a letter');
  return [];
});
