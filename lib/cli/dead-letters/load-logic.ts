import Module from 'node:module';
import { dirname, join } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import { type Module as Declared, discover, starterOf } from '../../module';
import { load } from '../../module/load-source';
import { consume, startRuns } from '../../runtime';
import type { AnyLogic } from '../../runtime/delivery';
import type { DryRunOptions } from './dry-run';

type Load = (request: string, ...rest: unknown[]) => unknown;

/** What a handler file hands to `consume`. */
export interface LoadedLogic {
  readonly module: Declared;
  readonly logic: AnyLogic;
}

/**
 * The logic that a module's `handler.ts` hands to `consume`. The file is loaded with a `consume` that keeps what it is
 * given, since the handler it returns on AWS would run `once` for real.
 *
 * @throws HeadraceError HR202 when the file can't be loaded, HR517 when it hands nothing to `consume`
 */
export function loadLogic(file: string, name: string): LoadedLogic {
  const kept: LoadedLogic[] = [];
  const keep = (module: Declared, logic: AnyLogic) => {
    kept.push({ module, logic });
    return () => undefined;
  };
  withRuntime({ consume: keep }, () => load(file));
  const found = kept.find(({ module }) => module.name === name);
  if (found) return found;
  throw new HeadraceError('HR517', {
    what: `lambdas/${name}/handler.ts does not hand the logic of ${name} to consume.`,
    allowed: 'export const handler = consume(module, logic), with consume from headrace/runtime',
    next: 'Correct the handler; the letter is untouched.',
  });
}

/**
 * Everything that a dry run of this listener needs of the project.
 *
 * @throws HeadraceError HR517 for what is neither a module nor a workflow
 */
export function dryHandler(project: string, name: string): Pick<DryRunOptions, 'module' | 'handler'> {
  const { modules, workflows } = discover(project);
  const workflow = workflows.find(({ declared }) => declared.name === name)?.declared;
  if (workflow) return { module: starterOf(workflow), handler: () => startRuns(workflow) };
  const found = modules.find(({ declared }) => declared.name === name);
  if (!found) {
    throw new HeadraceError('HR517', {
      what: `${name} has no handler in this project.`,
      next: 'Name the letter of a module or a workflow.',
    });
  }
  const { module, logic } = loadLogic(join(dirname(found.file), 'handler.ts'), name);
  return { module, handler: (watch) => consume(module as never, watch(logic) as never) };
}

/** While `fn` loads files, `headrace/runtime` has these functions in place of its own. */
function withRuntime(over: object, fn: () => void): void {
  const loader = Module as unknown as { _load: Load };
  const original = loader._load;
  loader._load = (request, ...rest) => {
    const loaded = original(request, ...rest);
    return request === 'headrace/runtime' ? { ...(loaded as object), ...over } : loaded;
  };
  try {
    fn();
  } finally {
    loader._load = original;
  }
}
