import { createHash } from 'node:crypto';
import { GetObjectCommand, ListObjectsV2Command, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { S3Store, type WritableStore } from '../../lib/runtime';

/** Keys of one page of a listing. */
const PAGE = 2;

/** A bucket in memory that answers the calls a store makes, conditional puts included. */
export class MemoryBucket {
  readonly objects = new Map<string, Uint8Array>();
  /** Called before each put is judged: the place to crash or to be faster than the caller. */
  beforePut: (key: string) => void = () => undefined;

  async send(command: unknown): Promise<object> {
    if (command instanceof GetObjectCommand) return this.#get(command.input.Key ?? '');
    if (command instanceof ListObjectsV2Command)
      return this.#list(command.input.Prefix, command.input.ContinuationToken);
    if (command instanceof PutObjectCommand) return this.#put(command);
    throw new Error(`a store does not send ${(command as object).constructor.name}`);
  }

  #get(key: string): object {
    const bytes = this.objects.get(key);
    if (!bytes)
      throw new NoSuchKey({ message: 'The specified key does not exist.', $metadata: { httpStatusCode: 404 } });
    return { Body: { transformToByteArray: async () => bytes }, ETag: etagOf(bytes) };
  }

  #list(prefix = '', token = ''): object {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > token).sort();
    const page = keys.slice(0, PAGE);
    return {
      Contents: page.map((Key) => ({ Key })),
      ...(keys.length > PAGE && { NextContinuationToken: page.at(-1) }),
    };
  }

  #put({ input }: PutObjectCommand): object {
    const key = input.Key ?? '';
    this.beforePut(key);
    const there = this.objects.get(key);
    const lost = (input.IfNoneMatch && there) || (input.IfMatch && (!there || etagOf(there) !== input.IfMatch));
    if (lost) throw Object.assign(new Error('PreconditionFailed'), { $metadata: { httpStatusCode: 412 } });
    this.objects.set(key, new Uint8Array(input.Body as Uint8Array));
    return { ETag: etagOf(input.Body as Uint8Array) };
  }
}

const etagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`;

/** A store that lives in memory, with its bucket for tests that meddle. */
export function memoryStore(
  name: string,
  bucket = new MemoryBucket(),
): WritableStore & { readonly bucket: MemoryBucket } {
  return Object.assign(new S3Store(bucket as unknown as S3Client, name), { bucket });
}
