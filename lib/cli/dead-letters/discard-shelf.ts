import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OUTPUT } from '../../module/environment';
import { S3Store, type WritableStore } from '../../runtime/store';
import type { Pipeline } from '../pipeline';
import type { DeadLetter } from './letter';

/** What is kept of a letter that was given up. */
export interface DiscardRecord {
  readonly discarded: {
    /** ISO 8601. */
    readonly at: string;
    readonly by: string;
    readonly reason: string;
  };
  readonly letter: DeadLetter;
}

/** Where the records of discarded letters are kept. */
export interface DiscardShelf {
  /** For people: where to look. */
  readonly place: string;
  /** Returns when the records are safe. Repeating it is harmless. */
  keep(records: readonly DiscardRecord[]): Promise<void>;
}

/** The journal's bucket, which everybody who works with the pipeline can see; without one a file of the project. */
export function discardShelf(
  { outputs, clients }: Pick<Pipeline, 'outputs' | 'clients'>,
  project: string,
): DiscardShelf {
  const bucket = outputs[OUTPUT.store('journal')];
  return bucket === undefined
    ? fileShelf(join(project, '.headrace', 'discarded'), new Date())
    : storeShelf(new S3Store(clients.s3, bucket));
}

/** One object for each letter: `discarded/<module>/<letter id>.json`. */
export function storeShelf(store: Pick<WritableStore, 'uri' | 'putJson'>): DiscardShelf {
  return {
    place: store.uri('discarded/'),
    async keep(records) {
      await Promise.all(
        records.map((record) => store.putJson(`discarded/${record.letter.module}/${record.letter.id}.json`, record)),
      );
    },
  };
}

/** One line for each letter, in a file a day that only its owner may read: letters hold whole events. */
export function fileShelf(folder: string, now: Date): DiscardShelf {
  const file = join(folder, `${now.toISOString().slice(0, 10)}.jsonl`);
  return {
    place: file,
    async keep(records) {
      await mkdir(dirname(file), { recursive: true });
      const handle = await open(file, 'a', 0o600);
      try {
        await handle.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
  };
}
