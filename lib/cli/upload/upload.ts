import { readdirSync, type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve, sep } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import type { WritableStore } from '../../runtime/store';

/** A file and the key it gets in the store. */
export interface PlannedUpload {
  readonly file: string;
  readonly key: string;
}

const MANIFEST = 'manifest.json';
const AT_ONCE = 8;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.png': 'image/png',
  '.tar': 'application/x-tar',
};

/**
 * The files of `path` with their keys: a file's key is `key` itself, a folder's files lie under it. Manifests come last:
 * a manifest is what makes a batch a fact, so everything it speaks of must be there.
 *
 * @param key its default is the name of the file or folder
 * @throws HeadraceError HR501 when there is nothing to upload
 */
export function planUpload(path: string, key: string | undefined): PlannedUpload[] {
  const stats = look(path);
  const name = basename(resolve(path));
  const wanted = (key ?? name).replace(/^\/+/, '');
  if (!stats.isDirectory())
    return [{ file: path, key: wanted === '' || wanted.endsWith('/') ? wanted + name : wanted }];
  const prefix = wanted.replace(/\/+$/, '');
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((each) => statSync(join(path, each), { throwIfNoEntry: false })?.isFile())
    .sort((a, b) => Number(isManifest(a)) - Number(isManifest(b)) || a.localeCompare(b));
  if (files.length === 0) throw unfit('The folder holds no files.', path);
  return files.map((each) => ({
    file: join(path, each),
    key: [prefix, ...each.split(sep)].filter((part) => part !== '').join('/'),
  }));
}

/** Puts the files into the store, several at once; manifests when everything else is there, one after the other. */
export async function upload(
  store: Pick<WritableStore, 'put'>,
  plan: readonly PlannedUpload[],
  onProgress: (done: number) => void,
): Promise<void> {
  let done = 0;
  const put = async ({ file, key }: PlannedUpload) => {
    const contentType = CONTENT_TYPES[extname(file).toLowerCase()];
    await store.put(key, await readFile(file), contentType === undefined ? {} : { contentType });
    done += 1;
    onProgress(done);
  };
  const rest = plan.filter(({ file }) => !isManifest(file));
  const manifests = plan.filter(({ file }) => isManifest(file));
  for (let i = 0; i < rest.length; i += AT_ONCE) await Promise.all(rest.slice(i, i + AT_ONCE).map(put));
  for (const manifest of manifests) await put(manifest);
}

const isManifest = (file: string) => basename(file) === MANIFEST;

function look(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    throw unfit(`The path can't be read (${(cause as NodeJS.ErrnoException).code}).`, path, cause);
  }
}

function unfit(what: string, path: string, cause?: unknown): HeadraceError {
  return new HeadraceError('HR501', {
    what,
    got: path,
    allowed: 'a file, or a folder with files',
    next: 'Correct the path; it starts at the current folder.',
    cause,
  });
}
