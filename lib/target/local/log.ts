import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export function logFile(folder: string): string {
  return join(folder, 'ministack.log');
}

/** The end of the log, indented, for an error message. */
export async function logTail(folder: string, lines = 8): Promise<string> {
  const text = await readFile(logFile(folder), 'utf8').catch(() => '');
  const last = text.trimEnd().split('\n').slice(-lines);
  return last.map((line) => `\n  ${line}`).join('');
}
