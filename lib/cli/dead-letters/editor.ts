import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HeadraceError } from '../../contract/errors';

/** Writes a new file that only its owner may read; a file that is there may hold somebody's corrections. */
export function writeDraft(path: string, text: string, next: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new HeadraceError('HR501', {
      what: 'The file is there already; it may hold corrections.',
      got: path,
      next,
      cause,
    });
  }
}

/** @throws HeadraceError HR501 when the file can't be read */
export function readDraft(path: string, cwd: string): string {
  const file = resolve(cwd, path);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new HeadraceError('HR501', {
      what: `The file can't be read (${(cause as NodeJS.ErrnoException).code}).`,
      got: file,
      next: 'Correct the path; it starts at the current folder.',
      cause,
    });
  }
}

/** Opens the user's editor and waits until it is closed. @throws HeadraceError HR501 when it fails */
export async function openEditor(editor: string, path: string): Promise<void> {
  // As git does it: the variable may hold a command with options.
  const child = spawn(`${editor} "$1"`, [path], { shell: '/bin/sh', stdio: 'inherit' });
  const code = await new Promise<number | null>((done) => {
    child.on('error', () => done(1));
    child.on('close', done);
  });
  if (code === 0) return;
  throw new HeadraceError('HR501', {
    what: `The editor ended with code ${code}; nothing was sent.`,
    got: editor,
    next: `Set EDITOR to one that works, or edit ${path} and give it with --file.`,
  });
}
