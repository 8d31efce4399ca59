import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, bundleSizes } from '../../lib/constructs/bundle';
import { discover, type Found, type Module, type Project } from '../../lib/module';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headrace-bundle-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project of handlers only: bundling reads no more than their names and files. */
function project(handlers: Readonly<Record<string, string>>): Project {
  const modules = Object.entries(handlers).map(([name, code]) => {
    const folder = join(root, 'lambdas', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'handler.ts'), code);
    return { declared: { name } as Module, file: join(folder, 'module.ts') } satisfies Found<Module>;
  });
  return { root, modules, steps: [], workflows: [], contracts: [] };
}

/** The handlers alone: the journal's would need the framework, which these projects don't have. */
const bundleOf = (handlers: Project) => bundle(handlers, { journal: false });

const HANDLER = 'export const handler = async (event: unknown) => event;';

test('every handler gets a folder that holds one ES module and nothing else', async () => {
  const bundles = bundleOf(project({ 'do-this': HANDLER, 'do-that': `${HANDLER} export const more = 'more';` }));
  expect([...bundles.keys()].sort()).toEqual(['do-that', 'do-this']);
  for (const { folder, bytes } of bundles.values()) {
    expect(readdirSync(folder)).toEqual(['index.mjs']);
    expect(statSync(join(folder, 'index.mjs')).size).toBe(bytes);
  }
  expect(bundleSizes(bundles).map(({ name }) => name)).toEqual(['do-that', 'do-this']);
});

test('the same code has the same version and is not written again, other code has another', () => {
  const first = bundleOf(project({ 'do-this': HANDLER })).get('do-this')!;
  const written = statSync(join(first.folder, 'index.mjs')).mtimeMs;
  const second = bundleOf(project({ 'do-this': HANDLER })).get('do-this')!;
  expect(second).toEqual(first);
  expect(statSync(join(second.folder, 'index.mjs')).mtimeMs).toBe(written);
  const third = bundleOf(project({ 'do-this': 'export const handler = async () => 1;' })).get('do-this')!;
  expect(third.version).not.toBe(first.version);
});

test('fails when a handler cannot be bundled, naming file and line of each error', () => {
  const broken = project({
    'do-this': "\nimport { x } from './nowhere';\nexport const handler = x;",
    'do-that': 'export {',
  });
  expect(() => bundleOf(broken)).toThrow(/HR602.*do-this\/handler.ts:2:\d+ Could not resolve "\.\/nowhere"/s);
  expect(() => bundleOf(broken)).toThrow(/do-that\/handler.ts:1:\d+/);
});

test('the bundles of a project, its starters and its journal too, load in Node and export their handler', () => {
  const bundles = bundle(discover(join(__dirname, '..', 'fixtures', 'small-project')));
  expect([...bundles.keys()].sort()).toEqual(['fit-fold', 'fit-model', 'journal', 'label-sample', 'list-folds']);
  const load = [...bundles.values()].map(({ folder }) => `import(${JSON.stringify(join(folder, 'index.mjs'))})`);
  const script = `Promise.all([${load}]).then((all) => console.log(all.map(({ handler }) => typeof handler).join()))`;
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', '-e', script], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('function,function,function,function,function');
});
