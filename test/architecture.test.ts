import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ERROR_CODES } from '../lib/contract';

const ROOT = join(__dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** The files of the project that a file imports, types included. */
function importsOf(file: string): string[] {
  const names = [...read(file).matchAll(/(?:from |import |import\(|require\()'(\.[^']+)'/g)].map(
    ([, name = '']) => name,
  );
  return names.map((name) => relative(ROOT, resolve(ROOT, dirname(file), name)));
}

const lib = sources('lib');
const all = ['bin', 'bench', 'demo', 'events', 'lambdas', 'lib', 'test', 'vision', 'workflows'].flatMap((folder) =>
  readdirSync(ROOT).includes(folder) ? sources(folder) : [],
);

describe('error codes', () => {
  const raised = lib
    .filter((file) => !file.endsWith('contract/errors.ts'))
    .map(read)
    .join('\n');
  const rows = read('docs/ERRORS.md')
    .split('\n')
    .filter((line) => /^\| HR\d{3} \|/.test(line));

  test.each(Object.entries(ERROR_CODES))(
    '%s is explained: its title, what it means, how to solve it',
    (code, title) => {
      const own = rows.filter((row) => row.startsWith(`| ${code} | ${title}`));
      expect(own).toEqual([expect.stringMatching(/^\| HR\d{3} \| .{20,} \| .{10,} \|$/)]);
    },
  );

  test.each(Object.keys(ERROR_CODES))('%s is raised somewhere', (code) => {
    expect(raised).toMatch(new RegExp(`(HeadraceError\\(\\s*|code: |Code = )'${code}'`));
  });

  test('that are explained exist', () => {
    expect(rows.map((row) => row.slice(2, 7))).toEqual(Object.keys(ERROR_CODES));
  });
});

/** Who may import whom inside lib/: a folder, and what it may use beside itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  pattern: ['contract'],
  module: ['contract', 'pattern'],
  runtime: ['contract', 'pattern', 'module'],
  constructs: ['contract', 'pattern', 'module'],
  journal: ['contract', 'pattern', 'module', 'runtime'],
  target: ['contract', 'pattern', 'module', 'runtime', 'constructs', 'journal'],
  testkit: ['contract', 'pattern', 'module', 'runtime'],
  cli: ['contract', 'pattern', 'module', 'runtime', 'constructs', 'journal', 'target'],
};

describe('imports', () => {
  test.each(Object.entries(MAY_IMPORT))('lib/%s uses only what lies below it', (folder, allowed) => {
    const used = sources('lib')
      .filter((file) => file.startsWith(`lib/${folder}/`))
      .flatMap((file) => importsOf(file).map((to) => `${file} -> ${to}`))
      .filter((edge) => ![folder, ...allowed].some((name) => new RegExp(`-> lib/${name}(/|$)`).test(edge)));
    expect(used.filter((edge) => edge.includes('-> lib/'))).toEqual([]);
  });

  test.each(['contract', 'pattern', 'module'])('lib/%s knows neither the AWS SDK nor CDK', (folder) => {
    const impure = lib
      .filter((file) => file.startsWith(`lib/${folder}/`))
      .filter((file) => /from '(@aws|@smithy|aws-cdk-lib|constructs)/.test(read(file)));
    expect(impure).toEqual([]);
  });

  test('the runtime knows no CDK: it would be bundled into every function', () => {
    const impure = lib.filter((file) => file.startsWith('lib/runtime/'));
    expect(impure.filter((file) => /from '(@aws-cdk|aws-cdk-lib|constructs)/.test(read(file)))).toEqual([]);
  });

  test('no module folder imports another: they meet through events', () => {
    const edges = sources('lambdas').flatMap((file) => importsOf(file).map((to) => [file, to] as const));
    const folder = (file: string) => file.split('/').slice(0, 2).join('/');
    const crossing = edges.filter(([from, to]) => to.startsWith('lambdas/') && folder(from) !== folder(to));
    expect(crossing).toEqual([]);
  });

  test('the reference pipeline imports the framework by its name, as any user would', () => {
    const users = ['events', 'lambdas', 'workflows', 'vision'].flatMap(sources);
    expect(users.filter((file) => importsOf(file).some((to) => to.startsWith('lib/')))).toEqual([]);
  });
});

describe('files', () => {
  test('have at most 300 lines', () => {
    expect(all.filter((file) => read(file).trimEnd().split('\n').length > 300)).toEqual([]);
  });

  test('have no folder or name that says nothing', () => {
    const empty = /(^|[/-])(utils?|helpers?|common|misc|managers?)([/.-]|$)/;
    expect(all.filter((file) => empty.test(file))).toEqual([]);
  });
});
