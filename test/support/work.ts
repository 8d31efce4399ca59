import type { Event } from '../../lib/contract';
import type { Run } from '../../lib/module';
import type { WritableStore } from '../../lib/runtime';
import { NOW } from './clock';
import { memoryStore } from './memory-store';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** What logic receives beside its input, with these stores; `once` runs what it is given. */
export function workContext<Stores extends Readonly<Record<string, WritableStore>>>(stores: Stores) {
  return {
    stores,
    runs: memoryStore('runs'),
    log: silent,
    attempt: 1,
    remainingMs: () => 60_000,
    signal: new AbortController().signal,
    once: <T>(name: string, fn: (token: string) => Promise<T>) => fn(name),
  };
}

/** An event of that type, as a module receives it. */
export function eventOf<const Type extends string, Data>(type: Type, data: Data, id = 'event-1'): Event<Type, Data> {
  return {
    id,
    type,
    source: `headrace.${type.split('.')[0]}`,
    time: NOW.toISOString(),
    subject: 'subject',
    version: 1,
    correlationId: id,
    hops: 0,
    data,
  };
}

/** A run that was started by an event with this data. */
export const runOf = (data: Record<string, unknown>, id = 'train-digits-1'): Run => ({
  id,
  workflow: 'train-digits',
  event: { id: 'event-1', type: 'dataset.arrived', time: NOW.toISOString(), correlationId: 'event-1', hops: 0, data },
});
