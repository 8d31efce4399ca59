import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { HeadraceError } from '../../contract/errors';

/** The editor of whoever sits at the terminal. */
export const editorIn = ({ VISUAL, EDITOR }: NodeJS.ProcessEnv): string | undefined => VISUAL ?? EDITOR;

export interface Draft {
  /** Path of the file. */
  readonly draft: string;
  readonly text: string;
  /** The command line that sends it. */
  readonly send: string;
  /** @default - nobody to open it */
  readonly editor: string | undefined;
}

/**
 * Writes the event to a new file that only its owner may read, and opens it.
 *
 * @returns whether it was opened, and closed again
 * @throws HeadraceError HR501 when the file is there already, or the editor fails
 */
export async function openDraft({ draft, text, send, editor }: Draft): Promise<boolean> {
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new HeadraceError('HR501', {
      what: 'The file is there already; it may hold corrections.',
      got: draft,
      next: `Send it with ${send}, or delete it.`,
      cause,
    });
  }
  if (editor === undefined) return false;
  await openEditor(editor, draft);
  return true;
}

/** What was sent need not lie about. */
export const removeDraft = (path: string): void => rmSync(path, { force: true });

/** The command line that sends a corrected event. */
export function editLine(id: string, file: string, target: string | undefined): string {
  return `npx headrace dlq edit ${id} --file ${file}${target === undefined ? '' : ` --target ${target}`}`;
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

/** Opens the file and waits until the editor is closed. */
async function openEditor(editor: string, path: string): Promise<void> {
  // As git does it: the variable may hold a command with options.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'headrace', path], { stdio: 'inherit' });
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
