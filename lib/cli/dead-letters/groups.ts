import { fingerprintOf } from './fingerprint';
import type { DeadLetter } from './letter';

/** Letters that failed in one way. */
export interface LetterGroup {
  /** Fingerprint of the failure, 8 hex digits: what `--group` takes. */
  readonly group: string;
  readonly module: string;
  readonly reason: string;
  /** Name or code of the error. */
  readonly error: string;
  /** Message of the newest. */
  readonly message: string;
  readonly count: number;
  readonly oldest?: string;
  readonly newest?: string;
  readonly types: readonly string[];
  /** Versions of the code that failed. */
  readonly codeVersions: readonly string[];
  /** Ids of the letters. */
  readonly ids: readonly string[];
}

/** Letters by the fingerprint of their failure, most first. */
export function groupLetters(letters: readonly DeadLetter[]): LetterGroup[] {
  const groups = new Map<string, DeadLetter[]>();
  for (const letter of letters) {
    const key = fingerprintOf(letter);
    groups.set(key, [...(groups.get(key) ?? []), letter]);
  }
  return [...groups]
    .flatMap(([group, members]) => groupOf(group, members))
    .sort((a, b) => b.count - a.count || a.module.localeCompare(b.module));
}

function groupOf(group: string, letters: readonly DeadLetter[]): LetterGroup[] {
  const newestFirst = [...letters].sort((a, b) => (b.parkedAt ?? '').localeCompare(a.parkedAt ?? ''));
  const [newest] = newestFirst;
  if (!newest) return [];
  const oldest = newestFirst.at(-1)?.parkedAt;
  return [
    {
      group,
      module: newest.module,
      reason: newest.reason,
      error: newest.error.code ?? newest.error.name,
      message: newest.error.message,
      count: letters.length,
      ...(oldest && { oldest }),
      ...(newest.parkedAt && { newest: newest.parkedAt }),
      types: [...new Set(letters.flatMap(({ event }) => event?.type ?? []))],
      codeVersions: [...new Set(newestFirst.flatMap(({ codeVersion }) => codeVersion ?? []))],
      ids: newestFirst.map(({ id }) => id),
    },
  ];
}
