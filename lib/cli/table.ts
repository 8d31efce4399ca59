import { stripVTControlCharacters } from 'node:util';
import type { Style } from './output';

/** Text of a table's field; `paint` colours it after it was cut and padded. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

export interface TableOptions {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly width: number;
  readonly style: Style;
}

const GAP = '  ';

/** Aligned columns. The last one is cut where the line would grow longer than `width`. */
export function table({ header, rows, width, style }: TableOptions): string[] {
  const columns = header.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => visibleLength(textOf(row[i] ?? '')))),
  );
  const before = columns.slice(0, -1).reduce((sum, column) => sum + column + GAP.length, 0);
  const last = columns.length - 1;
  columns[last] = Math.max(10, Math.min(columns[last] ?? 0, width - before));
  const lay = (row: readonly Cell[]) => layRow(row, columns);
  return [style.dim(lay(header)), ...rows.map(lay)].map((line) => line.trimEnd());
}

function layRow(row: readonly Cell[], columns: readonly number[]): string {
  return row
    .map((cell, i) => {
      const column = columns[i] ?? 0;
      const text = cut(textOf(cell), column);
      const padded = i === columns.length - 1 ? text : text + ' '.repeat(column - visibleLength(text));
      return typeof cell === 'string' ? padded : cell.paint(padded);
    })
    .join(GAP);
}

const textOf = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text);

const visibleLength = (text: string) => stripVTControlCharacters(text).length;

/** The text, shortened with an ellipsis where it is longer than `length`. */
export function cut(text: string, length: number): string {
  const flat = text.replaceAll(/[\r\n\t]+/g, ' ');
  return flat.length > length ? `${flat.slice(0, Math.max(0, length - 1))}…` : flat;
}

/** The text in lines of at most `width`, broken between words; a longer word stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    if (line !== undefined && visibleLength(line) + 1 + visibleLength(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === undefined ? word : `${line} ${word}`;
    }
  }
  return [...lines, line ?? ''];
}
