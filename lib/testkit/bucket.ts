import { createHash } from 'node:crypto';
import { NoSuchKey, type PutObjectCommandInput } from '@aws-sdk/client-s3';

interface Stored {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object that was written, as S3 tells of it. */
export interface Created {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly sequencer: string;
}

/** Keys of one page of a listing: as few as S3 may give, so that paging is used. */
const PAGE = 100;

/** A bucket of S3: conditional puts, metadata, listings in pages, and news of what was created. */
export class Bucket {
  readonly objects = new Map<string, Stored>();
  readonly #announce: (object: Created) => void;
  #written = 0;

  constructor(announce: (object: Created) => void) {
    this.#announce = announce;
  }

  get(key: string): object {
    const { bytes, etag, metadata } = this.#find(key);
    return { Body: { transformToByteArray: async () => new Uint8Array(bytes) }, ETag: `"${etag}"`, Metadata: metadata };
  }

  head(key: string): object {
    const { bytes, etag, metadata } = this.#find(key);
    return { ContentLength: bytes.byteLength, ETag: `"${etag}"`, Metadata: metadata };
  }

  put({ Key = '', Body, IfMatch, IfNoneMatch, Metadata = {} }: Partial<PutObjectCommandInput>): object {
    const there = this.objects.get(Key);
    if ((IfNoneMatch !== undefined && there) || (IfMatch !== undefined && `"${there?.etag}"` !== IfMatch)) {
      throw refusal('PreconditionFailed', 412, 'At least one of the pre-conditions you specified did not hold');
    }
    const bytes = typeof Body === 'string' ? Buffer.from(Body) : new Uint8Array(Body as Uint8Array);
    const etag = createHash('md5').update(bytes).digest('hex');
    this.objects.set(Key, { bytes, etag, metadata: Metadata });
    const sequencer = (++this.#written).toString(16).toUpperCase().padStart(18, '0');
    this.#announce({ key: Key, size: bytes.byteLength, etag, sequencer });
    return { ETag: `"${etag}"` };
  }

  list(prefix = '', after = ''): object {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, PAGE);
    return {
      Contents: page.map((Key) => ({ Key })),
      ...(keys.length > PAGE && { NextContinuationToken: page.at(-1) }),
    };
  }

  #find(key: string): Stored {
    const found = this.objects.get(key);
    if (found) return found;
    throw new NoSuchKey({ message: 'The specified key does not exist.', $metadata: { httpStatusCode: 404 } });
  }
}

const refusal = (name: string, httpStatusCode: number, message: string) =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
