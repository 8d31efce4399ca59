import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type AnyEvent, HeadraceError } from '../contract';
import { load } from './load-source';
import type { Module } from './module';
import { runFailed } from './run-failed';
import type { Step } from './step';
import { stepsOf, type Workflow } from './workflow';

/** Something declared, with the file it was found in. */
export interface Found<T> {
  readonly declared: T;
  /** Absolute path of the declaration. */
  readonly file: string;
}

/** A pipeline as it stands in a folder: everything that was declared, found without a list of names. */
export interface Project {
  /** Absolute path of the folder that holds `lambdas/`. */
  readonly root: string;
  readonly modules: readonly Found<Module>[];
  readonly steps: readonly Found<Step>[];
  readonly workflows: readonly Found<Workflow>[];
  /** Every contract in `events/` and every contract a module, step or workflow names; by type, then version. */
  readonly contracts: readonly AnyEvent[];
}

/**
 * Finds the pipeline in `root`: `lambdas/<name>/module.ts` (modules and steps), `workflows/<name>.ts`, and the contracts
 * in `events/` and in the module folders.
 *
 * @throws HeadraceError HR506 when there is no `lambdas/`, HR202 for an incomplete folder, HR203 for a repeated name,
 * HR107 when two contracts claim one type and version, HR204 when a plan names a step that was not found
 */
export function discover(root: string): Project {
  const lambdas = join(root, 'lambdas');
  if (!existsSync(lambdas)) {
    throw new HeadraceError('HR506', {
      what: 'This folder is not a Headrace project: it has no lambdas/.',
      got: root,
      next: 'Change to the project folder, or name it with --project.',
    });
  }
  const folders = readdirSync(lambdas, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(lambdas, entry.name))
    .sort();
  const found = folders.map(readModuleFolder);
  const modules = found.filter((each): each is Found<Module> => each.declared.kind === 'module');
  const steps = found.filter((each): each is Found<Step> => each.declared.kind === 'step');
  const workflows = sourceFiles(join(root, 'workflows')).map((file) => readDeclaration<Workflow>(file, ['workflow']));
  refuseRepeatedNames([...found, ...workflows]);
  refuseLostSteps(workflows, steps);
  return { root, modules, steps, workflows, contracts: catalog(root, [...modules, ...steps], workflows) };
}

function readModuleFolder(folder: string): Found<Module | Step> {
  const missing = ['module.ts', 'handler.ts'].filter((name) => !existsSync(join(folder, name)));
  if (missing.length > 0) {
    throw new HeadraceError('HR202', {
      what: `Module folder ${basename(folder)} has no ${missing.join(' and no ')}.`,
      allowed: 'a folder with module.ts (declaration) and handler.ts (wiring)',
      next: 'Add the file, or move the folder out of lambdas/.',
    });
  }
  const found = readDeclaration<Module | Step>(join(folder, 'module.ts'), ['module', 'step']);
  if (found.declared.name !== basename(folder)) {
    throw new HeadraceError('HR202', {
      what: `The folder and the name of a module differ: lambdas/${basename(folder)}.`,
      got: found.declared.name,
      allowed: basename(folder),
      next: 'Give both the same name.',
    });
  }
  return found;
}

function readDeclaration<T extends { kind: string }>(file: string, kinds: readonly T['kind'][]): Found<T> {
  const declared = (load(file) as { default?: T }).default;
  if (!declared || !kinds.includes(declared.kind)) {
    throw new HeadraceError('HR202', {
      what: `${relative(dirname(dirname(dirname(file))), file)} does not export a declaration as its default.`,
      got: declared?.kind ?? 'no default export',
      allowed: kinds.join(' or '),
      next: 'Write `export default defineModule({...})` (or defineStep, defineWorkflow).',
    });
  }
  return { declared, file };
}

function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
    .sort()
    .map((name) => join(folder, name));
}

function refuseRepeatedNames(found: readonly Found<{ name: string }>[]): void {
  const seen = new Map<string, string>();
  for (const { declared, file } of found) {
    const other = seen.get(declared.name);
    if (other) {
      throw new HeadraceError('HR203', {
        what: `Two declarations are named ${declared.name}: ${other} and ${file}.`,
        next: 'Rename one of them.',
      });
    }
    seen.set(declared.name, file);
  }
}

function refuseLostSteps(workflows: readonly Found<Workflow>[], steps: readonly Found<Step>[]): void {
  for (const { declared } of workflows) {
    const lost = stepsOf(declared).find((step) => !steps.some((found) => found.declared.name === step.name));
    if (lost) {
      throw new HeadraceError('HR204', {
        what: `Workflow ${declared.name} calls step ${lost.name}, which has no folder.`,
        allowed: steps.map((found) => found.declared.name).join(', '),
        next: `Add lambdas/${lost.name}/ with module.ts and handler.ts.`,
      });
    }
  }
}

function catalog(
  root: string,
  emitters: readonly Found<Module | Step>[],
  workflows: readonly Found<Workflow>[],
): readonly AnyEvent[] {
  const exported = sourceFiles(join(root, 'events')).flatMap((file) => Object.values(load(file) as object));
  const listened = [...emitters, ...workflows].flatMap(({ declared }) =>
    'on' in declared ? declared.on.map(({ listenable }) => listenable) : [],
  );
  const named = [...exported, ...emitters.flatMap(({ declared }) => declared.emits), ...listened, runFailed];
  const contracts = [...new Set(named.filter((value): value is AnyEvent => value?.kind === 'event'))];
  contracts.sort((a, b) => a.type.localeCompare(b.type) || a.version - b.version);
  contracts.forEach((contract, i) => {
    const previous = contracts[i - 1];
    if (previous?.dataschema === contract.dataschema) {
      throw new HeadraceError('HR107', {
        what: `Two contracts claim ${contract.type} version ${contract.version}.`,
        next: 'Keep one of them, or give the newer the next version.',
      });
    }
  });
  return contracts;
}
