import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { HeadraceError } from '../contract/errors';

/**
 * The folder that `--project` names, else the nearest one from `cwd` upwards that holds `lambdas/`, else `cwd`.
 *
 * @throws HeadraceError HR506 when the named one is no project
 */
export function projectFolder(named: string | undefined, cwd: string): string {
  if (named !== undefined) return namedFolder(resolve(cwd, named));
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'lambdas'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function namedFolder(folder: string): string {
  if (existsSync(join(folder, 'lambdas'))) return folder;
  throw new HeadraceError('HR506', {
    what: existsSync(folder) ? 'The folder of --project is no Headrace project.' : 'There is no such folder.',
    got: folder,
    allowed: 'a folder that holds lambdas/',
    next: 'Correct --project, or leave it out inside the project.',
  });
}

/** What `cdk.json` says that matters here. */
export interface CdkSettings {
  /** Command that synthesizes the app. */
  readonly app: string | undefined;
  readonly context: Readonly<Record<string, unknown>>;
}

export function cdkSettings(project: string): CdkSettings {
  const file = join(project, 'cdk.json');
  if (!existsSync(file)) return { app: undefined, context: {} };
  const { app, context } = JSON.parse(readFileSync(file, 'utf8')) as Partial<CdkSettings>;
  return { app, context: context ?? {} };
}

const DEFAULT_STACK = 'headrace-digits';

/** Name of the project's stack: `--stack`, else `stack` in the context of `cdk.json`, else `headrace-digits`. */
export function stackName(named: string | undefined, project: string): string {
  const { stack } = cdkSettings(project).context;
  return named ?? (typeof stack === 'string' ? stack : DEFAULT_STACK);
}
