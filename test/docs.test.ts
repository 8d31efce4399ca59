import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMMANDS } from '../lib/cli/commands';
import { svg } from '../lib/cli/graph/svg';
import { discover, graphOf } from '../lib/module';
import { scripts } from '../package.json';

const ROOT = join(__dirname, '..');

const PAGES = ['README.md', 'CONTRIBUTING.md', ...markdownIn('docs')];

function markdownIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

const matches = (page: string, pattern: RegExp) => [...read(page).matchAll(pattern)];

/** The anchor GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe.each(PAGES)('%s', (page) => {
  test('links only to what exists', () => {
    for (const [, link = ''] of matches(page, /\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      expect([link, existsSync(join(ROOT, target))]).toEqual([link, true]);
      if (anchor) {
        const anchors = matches(target, /^#+ (.+)$/gm).map(([, heading = '']) => anchorOf(heading));
        expect(anchors).toContain(anchor);
      }
    }
  });

  test('names only npm scripts that exist', () => {
    for (const [, script = ''] of matches(page, /npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
  });

  test('names only commands that exist', () => {
    const known = COMMANDS.map(({ name }) => name.split(' ')[0]);
    for (const [, name = ''] of matches(page, /npx headrace ([a-z]+)/g)) expect(known).toContain(name);
  });

  test('shows code as it stands in the repo', () => {
    for (const [, file = '', code] of matches(page, /<!-- file: (\S+) -->\n```ts\n(.*?)```/gs)) {
      expect(readFileSync(join(ROOT, file), 'utf8')).toBe(code);
    }
  });
});

test("the README's picture is that of the pipeline as it stands: npx headrace graph --format svg > docs/pipeline.svg", () => {
  expect(read('docs/pipeline.svg').trim()).toBe(svg(graphOf(discover(ROOT))).trim());
});
