import { join } from 'node:path';
import type { Host } from '../../lib/cli';

/** The reference pipeline: this repository. */
export const PROJECT = join(__dirname, '..', '..');

export interface TestHost extends Host {
  readonly out: () => string;
  readonly err: () => string;
}

/** A host that keeps what is printed. It is no terminal, unless told so. */
export function testHost(over: Partial<Host> & { readonly isTTY?: boolean; readonly input?: string } = {}): TestHost {
  const out: string[] = [];
  const err: string[] = [];
  const { isTTY = false, input = '', ...rest } = over;
  return {
    cwd: PROJECT,
    env: {},
    signal: new AbortController().signal,
    interactive: false,
    stdout: { isTTY, write: (text) => out.push(text) },
    stderr: { isTTY, write: (text) => err.push(text) },
    readInput: async () => input,
    ask: async () => '',
    ...rest,
    out: () => out.join(''),
    err: () => err.join(''),
  };
}

/** A terminal of so many columns, whose text is kept in `text`. */
export function screen(columns: number, text: string[] = []): Host['stdout'] {
  return { isTTY: true, columns, write: (part) => text.push(part) };
}
