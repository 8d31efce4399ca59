import { dirname, join } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import { discover, starterOf } from '../../module';
import { load } from '../../module/load-source';
import { type Handler, startRuns } from '../../runtime';
import type { DryRunOptions } from './dry-run';

/**
 * Module and handler of a listener, as the project stands now.
 *
 * @throws HeadraceError HR202 when the file can't be loaded, HR517 for what has no handler
 */
export function loadHandler(project: string, name: string): Pick<DryRunOptions, 'module' | 'handler'> {
  const { modules, workflows } = discover(project);
  const workflow = workflows.find(({ declared }) => declared.name === name)?.declared;
  if (workflow) return { module: starterOf(workflow), handler: startRuns(workflow) };
  const found = modules.find(({ declared }) => declared.name === name);
  if (!found) {
    throw new HeadraceError('HR517', {
      what: `${name} has no handler in this project.`,
      next: 'Name the letter of a module or a workflow.',
    });
  }
  const { handler } = load(join(dirname(found.file), 'handler.ts')) as { handler?: Handler };
  if (typeof handler === 'function') return { module: found.declared, handler };
  throw new HeadraceError('HR517', {
    what: `lambdas/${name}/handler.ts exports no handler.`,
    allowed: 'export const handler = consume(module, logic)',
    next: 'Correct the handler; the letter is untouched.',
  });
}
