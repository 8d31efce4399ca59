import { NonRetriable } from 'headrace/contract';
import { consume } from 'headrace/runtime';
import { makeEffect } from '../../effects';
import module from './module';

/** A loop that leaves the processor no moment to notice anything else: only the end of the invocation ends it. */
function hang(): never {
  for (;;);
}

const CONDUCT: Readonly<Record<string, () => void>> = {
  good: () => undefined,
  throws: () => {
    throw new Error('this record always fails');
  },
  refused: () => {
    throw new NonRetriable('this record can never be handled');
  },
  crashes: () => process.kill(process.pid, 'SIGKILL'),
  hangs: hang,
};

export const handler = consume(module, async ({ data: { record, conduct } }, { once }) => {
  CONDUCT[conduct]?.();
  await once('effect', (token) => makeEffect({ token, of: record, by: module.name }));
  return [];
});
