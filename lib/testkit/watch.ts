import { type Draft, type Event, HeadraceError, NonRetriable } from '../contract';
import type { Context } from '../runtime';
import { isTransient } from '../runtime/transient';
import { callerNow } from './caller';
import type { WorkRecord } from './record';
import type { World } from './world';

/** A module's logic, whatever its types. */
export type AnyLogic = (event: Event, context: Context) => Promise<readonly Draft[]>;

/** Codes after which the runtime tries no more: the logic or its input is wrong. */
const WRONG = /^HR(102|104|302|307|308|330)$/;

interface Watch {
  readonly world: World;
  /** The worker. */
  readonly who: string;
  readonly record: WorkRecord;
}

/** The logic with somebody watching: what it returns, throws, and does once. */
export function watched(world: World, module: string, logic: AnyLogic): AnyLogic {
  return async (event, context) => {
    const record = world.monitor.recordOf(module, event.id);
    const who = callerNow()?.who;
    if (!record || !who) return logic(event, context);
    const watch = { world, who, record };
    world.monitor.attempt(who, record).logic = 'running';
    try {
      const drafts = await logic(event, { ...context, once: onceWatched(watch, context) });
      world.monitor.returned(who, record, drafts);
      return drafts;
    } catch (error) {
      noteError(watch, error);
      throw error;
    }
  };
}

/** Failures of services and lost leases are not the logic's own. */
function noteError({ world, who, record }: Watch, error: unknown): void {
  const code = error instanceof HeadraceError ? error.code : '';
  const message = (error as Error).message ?? String(error);
  world.tell(who, `throws over ${record.label}: ${message}`);
  if (isTransient(error) || code === 'HR305') return;
  if (error instanceof NonRetriable || WRONG.test(code)) record.poison = true;
  record.threw++;
}

/** What `once` gives has to be kept. */
function onceWatched({ world, who, record }: Watch, { once }: Pick<Context, 'once'>): Context['once'] {
  const { monitor, table } = world;
  return async <T>(name: string, fn: (token: string) => Promise<T>) => {
    const result = await once(name, fn);
    monitor.afterEffect(who, record, { name, item: table.items.get(`${record.module.name}#${record.workId}`) });
    return result;
  };
}
