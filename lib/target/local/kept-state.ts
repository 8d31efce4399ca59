import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What has to be the same when a target comes back with its state: addresses of queues hold the port, ARNs the region. */
export interface Kept {
  readonly port: number;
  readonly region: string;
  /** Version of MiniStack that wrote the state. */
  readonly version: string;
}

/** Where the server keeps what it holds while it is stopped. */
export const keptFolder = (folder: string): string => join(folder, 'state');

const keptFile = (folder: string) => join(keptFolder(folder), 'headrace.json');

/** What an earlier start of this folder's target left behind to come back to, if any. */
export async function readKept(folder: string): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(keptFile(folder), 'utf8')) as Partial<Kept>;
    return Number.isInteger(kept.port) && kept.region ? (kept as Kept) : undefined;
  } catch {
    // None, or one that a crash cut off: there is nothing to come back to.
    return undefined;
  }
}

export async function writeKept(folder: string, kept: Kept): Promise<void> {
  await mkdir(keptFolder(folder), { recursive: true });
  await writeFile(keptFile(folder), JSON.stringify(kept));
}

/** Forgets everything: the next start is a first one. */
export async function forgetKept(folder: string): Promise<void> {
  await rm(keptFolder(folder), { recursive: true, force: true });
}
