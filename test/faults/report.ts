import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure, Measured, Scale } from './experiment';

const PAGE = join(__dirname, '..', '..', 'docs', 'RELIABILITY.md');
const BEFORE = join(__dirname, 'before.json');
const BEGIN = '<!-- figures: begin -->';
const END = '<!-- figures: end -->';

/** Figures of an earlier state, to compare with. */
interface Before {
  readonly date: string;
  readonly commit: string;
  /** How it was measured, in words. */
  readonly scale: string;
  readonly figures: readonly (Figure & { readonly scale: Scale })[];
}

/** `events 500, lost 0, powertools (lost 0, doubled 3)` */
export function describe(measured: Measured): string {
  return Object.entries(measured)
    .map(([name, value]) => {
      const shown = typeof value === 'object' ? `(${describe(value)})` : String(value);
      return `${name.replaceAll('_', ' ')} ${shown}`;
    })
    .join(', ');
}

const mark = (pass: boolean) => (pass ? 'yes' : 'NO');

/** The figures for a terminal: a line each, with what was measured and what was wanted below it. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ id, title, measured, target, pass, seconds }) => [
    `${id.padEnd(4)} ${title} (${seconds} s)`,
    `     measured  ${describe(measured)}`,
    `     target    ${target}`,
    `     reached   ${mark(pass)}`,
  ]);
  return rows.map((lines) => lines.join('\n')).join('\n\n');
}

interface Report {
  readonly scale: Scale;
  readonly seed: number;
  readonly figures: readonly Figure[];
}

/** Writes the figures into the page, between its marks. Experiments that were not run keep their row. */
export function writeReport(report: Report): void {
  const page = readFileSync(PAGE, 'utf8');
  const [head, old, tail] = parts(page);
  const kept = rowsByKey(old);
  for (const row of rows(report)) kept.set(row.key, row.text);
  const keys = [...kept.keys()].sort((a, b) => Number.parseInt(a.slice(1), 10) - Number.parseInt(b.slice(1), 10));
  const lines = [
    '| | test | before | now | target | reached |',
    '|---|---|---|---|---|---|',
    ...keys.map((key) => kept.get(key)),
  ];
  writeFileSync(PAGE, `${head}${BEGIN}\n${lines.join('\n')}\n${END}${tail}`);
}

function parts(page: string): [head: string, table: string, tail: string] {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/RELIABILITY.md lacks ${BEGIN} or ${END}`);
  return [page.slice(0, begin), page.slice(begin + BEGIN.length, end), page.slice(end + END.length)];
}

/** Rows by id and title: an id may have several experiments. */
function rowsByKey(text: string): Map<string, string> {
  const found = text.split('\n').flatMap((line) => {
    const key = /^\| (R\d+ \| [^|]+) \|/.exec(line)?.[1];
    return key ? [[key, line] as const] : [];
  });
  return new Map(found);
}

function rows({ scale, seed, figures }: Report): { key: string; text: string }[] {
  const before = existsSync(BEFORE) ? (JSON.parse(readFileSync(BEFORE, 'utf8')) as Before) : undefined;
  return figures.map(({ id, title, measured, target, pass }) => {
    const earlier = before?.figures.find((each) => each.title === title);
    const then = earlier
      ? `${describe(earlier.measured)} (${earlier.scale}; reached: ${mark(earlier.pass)})`
      : 'not measured';
    const now = `${describe(measured)} (${scale}, seed ${seed})`;
    return { key: `${id} | ${title}`, text: `| ${id} | ${title} | ${then} | ${now} | ${target} | ${mark(pass)} |` };
  });
}
