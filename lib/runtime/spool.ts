import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type Envelope, envelopeSchema, HeadraceError } from '../contract';
import { platform } from './platform';
import { refuseOld } from './refuse';

/** What one file of a spool holds: the events of one call, as JSON. */
const pageSchema = z.object({ bus: z.string().min(1), events: z.array(envelopeSchema).min(1) });

type Page = z.output<typeof pageSchema>;

const READY = '.json';
const HALF = '.half';

/** Events that wait in a spool. */
export interface Waiting {
  /** Absolute or relative as the folder was given. */
  readonly file: string;
  readonly events: readonly Envelope[];
}

/** A file of a spool that was left alone. */
export interface LeftAlone {
  readonly file: string;
  /** HR323 when it can't be read, HR324 when it is for another bus, HR310 when it is too old. */
  readonly why: HeadraceError;
}

export interface Spool {
  /** What can be sent, the oldest first. */
  readonly waiting: readonly Waiting[];
  readonly left: readonly LeftAlone[];
}

/**
 * Puts events in a folder, which is made where it is missing. When this returns they are on the disk: whole, under
 * their final name, both noted by the file system (fsync).
 *
 * @returns the file
 * @throws HeadraceError HR322 when it can't be written
 */
export async function writePage(folder: string, page: Page): Promise<string> {
  // By time first: the order of sending is that of publishing.
  const name = `${String(platform().now()).padStart(15, '0')}-${platform().uuid()}`;
  try {
    await mkdir(folder, { recursive: true });
    return await writeWhole(folder, name, JSON.stringify(page));
  } catch (cause) {
    throw new HeadraceError('HR322', {
      what: `The spool can't be written (${(cause as NodeJS.ErrnoException).code}). Nothing was sent.`,
      got: folder,
      next: 'Name a folder on a disk that has room, in which this user may write.',
      cause,
    });
  }
}

async function writeWhole(folder: string, name: string, text: string): Promise<string> {
  const half = join(folder, `${name}${HALF}`);
  const whole = join(folder, `${name}${READY}`);
  await flushed(half, 'w', text);
  await rename(half, whole);
  await flushed(folder, 'r');
  return whole;
}

/** Writes the text, if there is one, and waits until the disk has it. Events may be sensitive: it is their owner's alone. */
async function flushed(path: string, flags: 'r' | 'w', text?: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    if (text !== undefined) await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Takes a file out of the spool, or leaves in it only those events that are still to be sent. */
export async function keepOnly(file: string, { bus, events }: Page): Promise<void> {
  if (events.length === 0) return rm(file, { force: true });
  // Another process may be at the same file: each writes its own half.
  const half = file.replace(new RegExp(`${READY}$`), `-${platform().uuid()}${HALF}`);
  await flushed(half, 'w', JSON.stringify({ bus, events }));
  await rename(half, file);
}

/** Reads what waits in a spool for this bus. A folder that is not there holds nothing. Changes nothing. */
export async function readSpool(folder: string, bus: string): Promise<Spool> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw unreadable(folder, error);
  });
  const waiting: Waiting[] = [];
  const left: LeftAlone[] = [];
  for (const name of names.filter((each) => each.endsWith(READY) || each.endsWith(HALF)).sort()) {
    const file = join(folder, name);
    const page = await readPage(file, bus);
    if (page instanceof HeadraceError) left.push({ file, why: page });
    // Sent and removed by another process in the meantime.
    else if (page) waiting.push({ file, events: page });
  }
  return { waiting, left };
}

async function readPage(file: string, bus: string): Promise<readonly Envelope[] | HeadraceError | undefined> {
  if (file.endsWith(HALF)) return unreadable(file, new Error('it was never finished'));
  try {
    const page = pageSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    if (page.bus !== bus) return elsewhere(file, page.bus, bus);
    for (const event of page.events) refuseOld(event);
    return page.events;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return error instanceof HeadraceError ? error : unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): HeadraceError {
  return new HeadraceError('HR323', {
    what: `What lies in the spool can't be read, and was left there: ${reasonOf(cause)}.`,
    got: file,
    next: 'Look into it: publish again what it was meant to be, then delete it.',
    cause,
  });
}

/** What the parser of JSON says would show some of the text. */
function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) return 'it holds no events';
  return cause instanceof SyntaxError ? 'it is no JSON' : (cause as Error).message;
}

function elsewhere(file: string, got: string, allowed: string): HeadraceError {
  return new HeadraceError('HR324', {
    what: `The events of ${file} are for another bus, and were left there.`,
    got,
    allowed,
    next: 'Send them to their own bus; give each pipeline a spool of its own.',
  });
}
