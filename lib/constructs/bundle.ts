import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildFailure, buildSync, type OutputFile } from 'esbuild';
import { HeadraceError } from '../contract';
import { type Found, JOURNAL, type Project, type Workflow } from '../module';

/** The code of one function, ready to be deployed. */
export interface Bundle {
  /** Absolute path of the folder that holds `index.mjs` and nothing else. */
  readonly folder: string;
  /** Size of `index.mjs`, bytes, not compressed. */
  readonly bytes: number;
  /** First 12 hex digits of the SHA-256 of `index.mjs`: the same code, the same version. */
  readonly version: string;
}

/** Bundles by the name of their module, step or workflow, and the journal's by its own. */
export type Bundles = ReadonlyMap<string, Bundle>;

/**
 * CommonJS packages in a bundle may still call `require`, which an ES module has not. The name is long because the
 * minifier, which does not know of it, hands out the short ones.
 */
const REQUIRE =
  "import{createRequire as createRequireOfBundle}from'node:module';const require=createRequireOfBundle(import.meta.url);";

/** This package's own sources, which the published package has too: unlike its compiled files they can be tree-shaken. */
const OWN_CONDITION = ['source'];

export interface BundleOptions {
  /** Whether the journal's function is wanted. @default true */
  readonly journal?: boolean;
}

/**
 * Bundles every handler of a project into `<root>/.headrace/build/<name>/index.mjs`: modules, steps, for each
 * workflow the function that starts its runs, and the one that keeps the journal.
 *
 * Not CDK's NodejsFunction: that starts an esbuild process for each function, which for a dozen handlers takes most of
 * the synthesis, and it reports no sizes. The SDK is bundled because a local target's Lambda runtime has none, and
 * because a bundled client starts faster than the runtime's.
 *
 * @throws HeadraceError HR602 naming file and line of every error
 */
export function bundle(project: Project, { journal = true }: BundleOptions = {}): Bundles {
  const folder = join(project.root, '.headrace', 'build');
  const handlers = [...project.modules, ...project.steps].map(({ declared, file }) => ({
    name: declared.name,
    file: join(dirname(file), 'handler.ts'),
  }));
  const starters = project.workflows.map((workflow) => starterEntry(folder, workflow));
  const keepers = journal ? [journalEntry(folder)] : [];
  const entries = [...handlers, ...starters, ...keepers].map(({ name, file }) => ({
    in: file,
    out: join(name, 'index'),
  }));
  const files = entries.length > 0 ? build(project.root, folder, entries) : [];
  return new Map(files.map((file) => [relative(folder, dirname(file.path)), keep(file)]));
}

/** Total size of the bundles by name, largest first: for the report after a deployment. */
export function bundleSizes(bundles: Bundles): readonly { readonly name: string; readonly bytes: number }[] {
  return [...bundles].map(([name, { bytes }]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}

function starterEntry(folder: string, { declared, file }: Found<Workflow>) {
  return generated(folder, declared.name, [
    `import workflow from ${JSON.stringify(file)};`,
    "import { startRuns } from 'headrace/runtime';",
    'export const handler = startRuns(workflow);',
  ]);
}

function journalEntry(folder: string) {
  return generated(folder, JOURNAL, [
    "import { keepJournal } from 'headrace/runtime';",
    'export const handler = keepJournal();',
  ]);
}

/** A handler that nobody writes, because there is nothing to decide in it. */
function generated(folder: string, name: string, lines: readonly string[]) {
  const file = join(folder, '.starters', `${name}.ts`);
  writeIfChanged(file, Buffer.from([...lines, ''].join('\n')));
  return { name, file };
}

function build(root: string, folder: string, entryPoints: { in: string; out: string }[]): readonly OutputFile[] {
  try {
    return buildSync({
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      write: false,
      bundle: true,
      minify: true,
      treeShaking: true,
      platform: 'node',
      // What the handlers run on is nodejs24.x; a laptop's Node may be older, and nothing is lost by this.
      target: 'node20',
      format: 'esm',
      conditions: [...OWN_CONDITION, 'module'],
      mainFields: ['module', 'main'],
      banner: { js: REQUIRE },
      legalComments: 'none',
      logLevel: 'silent',
    }).outputFiles;
  } catch (cause) {
    throw new HeadraceError('HR602', {
      what: `The handlers cannot be bundled: ${describe(cause as Partial<BuildFailure>)}.`,
      next: 'Correct the named lines.',
    });
  }
}

function describe({ errors, message }: Partial<BuildFailure>): string {
  if (!errors?.length) return String(message);
  return errors
    .map(({ text, location }) => (location ? `${location.file}:${location.line}:${location.column} ${text}` : text))
    .join('; ');
}

function keep(file: OutputFile): Bundle {
  const contents = Buffer.from(file.contents);
  writeIfChanged(file.path, contents);
  return {
    folder: dirname(file.path),
    bytes: contents.byteLength,
    version: createHash('sha256').update(contents).digest('hex').slice(0, 12),
  };
}

/** Whole or not at all, and untouched when nothing changed: two syntheses at once do not disturb each other. */
function writeIfChanged(path: string, contents: Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = join(dirname(dirname(path)), `.${process.pid}-${Date.now()}.draft`);
  writeFileSync(draft, contents);
  renameSync(draft, path);
}
