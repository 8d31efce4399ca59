/** The word of `words` that `typed` most likely meant; undefined when none is near. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: distance(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance: d }) => d <= Math.max(2, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

/** Edits from `a` to `b`: insertions, deletions and replacements (Levenshtein). */
function distance(a: string, b: string): number {
  const first = Array.from({ length: b.length + 1 }, (_, j) => j);
  return [...a].reduce((row, letter) => nextRow(row, letter, b), first).at(-1) ?? 0;
}

function nextRow(previous: readonly number[], letter: string, b: string): number[] {
  const row = [(previous[0] ?? 0) + 1];
  for (let j = 1; j <= b.length; j++) {
    const replaced = (previous[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
    row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
  }
  return row;
}
