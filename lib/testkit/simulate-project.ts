import { dirname, join } from 'node:path';
import { HeadraceError } from '../contract';
import { discover, starterOf } from '../module';
import { load } from '../module/load-source';
import { type Handler, startRuns } from '../runtime';
import { type Part, type Pipeline, type SimulateOptions, simulate } from './pipeline';

/**
 * Makes a pipeline in memory of all that a project's folder declares: every module with the handler of its `handler.ts`.
 * Of a workflow only the start of its runs is simulated: `pipeline.runs` lists them.
 *
 * @param folder - absolute path of the folder that holds `lambdas/`
 * @throws HeadraceError HR202 or HR506 when it can't be loaded, HR705 when a `handler.ts` exports no `handler`
 */
export function simulateProject(folder: string, options: SimulateOptions = {}): Pipeline {
  const { modules, workflows, contracts } = discover(folder);
  const parts: Part[] = [
    ...modules.map(({ declared, file }) => ({
      module: declared,
      handler: handlerIn(join(dirname(file), 'handler.ts')),
    })),
    ...workflows.map(({ declared }) => ({ module: starterOf(declared), handler: startRuns(declared) })),
  ];
  return simulate(parts, { ...options, contracts: [...contracts, ...(options.contracts ?? [])] });
}

function handlerIn(file: string): Handler {
  const { handler } = load(file) as { readonly handler?: Handler };
  if (typeof handler === 'function') return handler;
  throw new HeadraceError('HR705', {
    what: `${file} exports no handler.`,
    allowed: 'export const handler = consume(module, logic)',
    next: 'Correct the file.',
  });
}
