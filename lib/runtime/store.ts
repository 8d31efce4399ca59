import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type * as z from 'zod';
import { HeadraceError, type ObjectRef } from '../contract';

export interface Found {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

export interface FoundJson<T> {
  readonly value: T;
  readonly etag: string;
}

/** Reading side of a store. Keys are relative to the store's bucket. */
export interface ReadableStore {
  uri(key: string): string;
  /** The object, or undefined when there is none. */
  find(key: string): Promise<Found | undefined>;
  /** @throws HeadraceError HR306 when there is none */
  get(key: string): Promise<Uint8Array>;
  /** Reads and checks a JSON object. @throws HeadraceError HR306; ZodError when it has another shape */
  getJson<S extends z.ZodType>(key: string, schema: S): Promise<z.output<S>>;
  /** The same as `find`, parsed and checked. @throws ZodError when it has another shape */
  findJson<S extends z.ZodType>(key: string, schema: S): Promise<FoundJson<z.output<S>> | undefined>;
  /** The same as `open`, parsed and checked. @throws ZodError when it has another shape */
  openJson<S extends z.ZodType>(ref: ObjectRef, schema: S): Promise<z.output<S>>;
  /** Reads what a reference names. @throws HeadraceError HR306, HR307 on another checksum, HR308 on another bucket */
  open(ref: ObjectRef): Promise<Uint8Array>;
  /** A reference to an object whose bytes were just read. */
  refer(key: string, bytes: Uint8Array): ObjectRef;
  /** The key in this store that a URI names. @throws HeadraceError HR308 */
  keyOf(uri: string): string;
  /** All keys under a prefix, in order. */
  list(prefix: string): Promise<readonly string[]>;
  /** Every object under a prefix, parsed and checked, in order of their keys. @throws ZodError when one has another shape */
  listJson<S extends z.ZodType>(prefix: string, schema: S): Promise<z.output<S>[]>;
}

export interface PutOptions {
  /** @default 'application/octet-stream' */
  readonly contentType?: string;
}

/** Writing side of a store: a put is whole or not there, and repeating it is harmless when keys are deterministic. */
export interface WritableStore extends ReadableStore {
  put(key: string, body: Uint8Array | string, options?: PutOptions): Promise<ObjectRef>;
  putJson(key: string, value: unknown): Promise<ObjectRef>;
  /**
   * Writes only if the object is still the one read before (`etag`), or still absent (`undefined`).
   *
   * @returns the reference, or undefined when somebody else was first
   */
  replace(key: string, body: Uint8Array | string, etag: string | undefined): Promise<ObjectRef | undefined>;
}

/** A store in one S3 bucket. */
export class S3Store implements WritableStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #metadata: Readonly<Record<string, string>>;

  /** @param metadata - kept with every object that is written */
  constructor(client: S3Client, bucket: string, metadata: Readonly<Record<string, string>> = {}) {
    this.#client = client;
    this.#bucket = bucket;
    this.#metadata = metadata;
  }

  uri(key: string): string {
    return `s3://${this.#bucket}/${key}`;
  }

  refer(key: string, bytes: Uint8Array): ObjectRef {
    return { uri: this.uri(key), sha256: hash(bytes), bytes: bytes.byteLength };
  }

  async find(key: string): Promise<Found | undefined> {
    try {
      const { Body, ETag = '' } = await this.#client.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
      return { bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(), etag: ETag };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  }

  async get(key: string): Promise<Uint8Array> {
    const found = await this.find(key);
    if (found) return found.bytes;
    throw new HeadraceError('HR306', {
      what: 'The object does not exist.',
      got: this.uri(key),
      next: 'Check that the step which writes it has finished, and that no lifecycle rule removed it.',
    });
  }

  async getJson<S extends z.ZodType>(key: string, schema: S): Promise<z.output<S>> {
    return parseJson(await this.get(key), schema);
  }

  async findJson<S extends z.ZodType>(key: string, schema: S): Promise<FoundJson<z.output<S>> | undefined> {
    const found = await this.find(key);
    return found && { value: parseJson(found.bytes, schema), etag: found.etag };
  }

  async openJson<S extends z.ZodType>(ref: ObjectRef, schema: S): Promise<z.output<S>> {
    return parseJson(await this.open(ref), schema);
  }

  async open(ref: ObjectRef): Promise<Uint8Array> {
    const bytes = await this.get(this.keyOf(ref.uri));
    const sha256 = hash(bytes);
    if (sha256 === ref.sha256) return bytes;
    throw new HeadraceError('HR307', {
      what: `The object ${ref.uri} is not the one the event speaks of.`,
      got: sha256,
      allowed: ref.sha256,
      next: 'Write the object again and publish a new event; objects that events name must not be changed.',
    });
  }

  keyOf(uri: string): string {
    const prefix = this.uri('');
    if (uri.startsWith(prefix)) return uri.slice(prefix.length);
    throw new HeadraceError('HR308', {
      what: 'The URI names an object outside this store.',
      got: uri,
      allowed: `${prefix}...`,
      next: 'Copy the object into the store first.',
    });
  }

  async list(prefix: string): Promise<readonly string[]> {
    const keys: string[] = [];
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ...(token && { ContinuationToken: token }) }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''));
      token = page.NextContinuationToken;
    } while (token);
    return keys;
  }

  async listJson<S extends z.ZodType>(prefix: string, schema: S): Promise<z.output<S>[]> {
    return Promise.all((await this.list(prefix)).map((key) => this.getJson(key, schema)));
  }

  put(key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<ObjectRef> {
    return this.#put(key, body, { ContentType: options.contentType ?? 'application/octet-stream' });
  }

  putJson(key: string, value: unknown): Promise<ObjectRef> {
    return this.put(key, JSON.stringify(value), { contentType: 'application/json' });
  }

  async replace(key: string, body: Uint8Array | string, etag: string | undefined): Promise<ObjectRef | undefined> {
    try {
      return await this.#put(key, body, etag === undefined ? { IfNoneMatch: '*' } : { IfMatch: etag });
    } catch (error) {
      const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
      if (status !== 409 && status !== 412) throw error;
      // The answer to our own put may have got lost, and what was refused was its repetition.
      const ref = this.refer(key, bytesOf(body));
      const there = await this.find(key);
      return there && hash(there.bytes) === ref.sha256 ? ref : undefined;
    }
  }

  async #put(key: string, body: Uint8Array | string, more: Partial<PutObjectCommandInput>): Promise<ObjectRef> {
    const bytes = bytesOf(body);
    const metadata = Object.keys(this.#metadata).length > 0 && { Metadata: { ...this.#metadata } };
    const put = { Bucket: this.#bucket, Key: key, Body: bytes, ...metadata, ...more };
    await this.#client.send(new PutObjectCommand(put));
    return this.refer(key, bytes);
  }
}

/** Parses a JSON object and checks its shape. */
export function parseJson<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.output<S> {
  return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
}

const bytesOf = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : body;

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
