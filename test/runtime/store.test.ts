import { GetObjectCommand, ListObjectsV2Command, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod';
import { S3Store } from '../../lib/runtime';
import { lateRefusal, refusal } from '../support/refusal';

const s3 = mockClient(S3Client);
const store = new S3Store(new S3Client({}), 'essays-bucket');
const HELLO_SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

beforeEach(() => s3.reset());
afterAll(() => s3.restore());

const body = (text: string) => ({ transformToByteArray: async () => Buffer.from(text) });
const holds = (text: string) => s3.on(GetObjectCommand).resolves({ Body: body(text) as never, ETag: '"e1"' });
const empty = () => s3.on(GetObjectCommand).rejects(new NoSuchKey({ message: 'none', $metadata: {} }));
const puts = () => s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);

describe('reading', () => {
  test('finds an object with its ETag', async () => {
    holds('hello');
    expect(await store.find('a')).toEqual({ bytes: Buffer.from('hello'), etag: '"e1"' });
    expect(s3.commandCalls(GetObjectCommand)[0]?.args[0].input).toEqual({ Bucket: 'essays-bucket', Key: 'a' });
  });

  test('finds nothing where there is nothing', async () => {
    empty();
    expect(await store.find('a')).toBeUndefined();
  });

  test('fails when the object it has to get is not there, and names it', async () => {
    empty();
    const error = await lateRefusal(store.get('a/b'));
    expect(error.code).toBe('HR306');
    expect(error.message).toContain("Got 's3://essays-bucket/a/b'");
  });

  test('passes on a failure that is not a missing object', async () => {
    s3.on(GetObjectCommand).rejects(new Error('access denied'));
    await expect(store.find('a')).rejects.toThrow('access denied');
  });

  test('checks JSON by its schema', async () => {
    holds('{"words":"many"}');
    await expect(store.getJson('a', z.object({ words: z.number() }))).rejects.toThrow(z.ZodError);
    expect(await store.getJson('a', z.object({ words: z.string() }))).toEqual({ words: 'many' });
  });

  test('opens what a reference names', async () => {
    holds('hello');
    const ref = { uri: 's3://essays-bucket/a/b', sha256: HELLO_SHA256, bytes: 5 };
    expect(Buffer.from(await store.open(ref)).toString()).toBe('hello');
    expect(s3.commandCalls(GetObjectCommand)[0]?.args[0].input.Key).toBe('a/b');
  });

  test('fails when the object is not the one the reference speaks of', async () => {
    holds('hallo');
    const error = await lateRefusal(store.open({ uri: 's3://essays-bucket/a', sha256: HELLO_SHA256, bytes: 5 }));
    expect(error.code).toBe('HR307');
    expect(error.message).toContain(`Allowed: ${HELLO_SHA256}`);
  });

  test.each(['s3://other-bucket/a', 's3://essays-bucket-2/a', 'https://essays-bucket/a', 'a'])(
    'refuses the URI %s, which is in no bucket of this store',
    async (uri) => {
      expect(refusal(() => store.keyOf(uri)).code).toBe('HR308');
      expect((await lateRefusal(store.open({ uri, sha256: HELLO_SHA256, bytes: 5 }))).code).toBe('HR308');
      expect(s3.calls()).toEqual([]);
    },
  );

  test('lists all pages in order', async () => {
    s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: 'a/1' }, { Key: 'a/2' }], NextContinuationToken: 't' });
    s3.on(ListObjectsV2Command, { ContinuationToken: 't' }).resolves({ Contents: [{ Key: 'a/3' }] });
    expect(await store.list('a/')).toEqual(['a/1', 'a/2', 'a/3']);
    expect(s3.commandCalls(ListObjectsV2Command).map(({ args }) => args[0].input.Prefix)).toEqual(['a/', 'a/']);
  });

  test('lists nothing where there is nothing', async () => {
    s3.on(ListObjectsV2Command).resolves({});
    expect(await store.list('a/')).toEqual([]);
  });
});

describe('writing', () => {
  test('returns the reference that opens the object', async () => {
    s3.on(PutObjectCommand).resolves({});
    const ref = await store.put('a/b', 'hello');
    expect(ref).toEqual({ uri: 's3://essays-bucket/a/b', sha256: HELLO_SHA256, bytes: 5 });
    expect(store.refer('a/b', Buffer.from('hello'))).toEqual(ref);
    expect(puts()).toEqual([
      { Bucket: 'essays-bucket', Key: 'a/b', Body: Buffer.from('hello'), ContentType: 'application/octet-stream' },
    ]);
  });

  test('writes JSON as JSON', async () => {
    s3.on(PutObjectCommand).resolves({});
    await store.putJson('a', { words: 1 });
    expect(puts()).toMatchObject([{ Body: Buffer.from('{"words":1}'), ContentType: 'application/json' }]);
  });

  test('replaces only what was read, and creates only what was absent', async () => {
    s3.on(PutObjectCommand).resolves({});
    await store.replace('a', 'new', '"e1"');
    await store.replace('a', 'new', undefined);
    expect(puts().map(({ IfMatch, IfNoneMatch }) => [IfMatch, IfNoneMatch])).toEqual([
      ['"e1"', undefined],
      [undefined, '*'],
    ]);
  });

  test.each([409, 412])('returns nothing when somebody else was first (%i)', async (httpStatusCode) => {
    s3.on(PutObjectCommand).rejects(Object.assign(new Error('lost'), { $metadata: { httpStatusCode } }));
    holds('theirs');
    expect(await store.replace('a', 'new', '"e1"')).toBeUndefined();
  });

  test('returns the reference when it was us, and only the answer had got lost', async () => {
    s3.on(PutObjectCommand).rejects(Object.assign(new Error('lost'), { $metadata: { httpStatusCode: 412 } }));
    holds('new');
    expect(await store.replace('a', 'new', undefined)).toEqual(store.refer('a', Buffer.from('new')));
  });

  test('passes on any other failure of a replacement', async () => {
    s3.on(PutObjectCommand).rejects(Object.assign(new Error('denied'), { $metadata: { httpStatusCode: 403 } }));
    await expect(store.replace('a', 'new', undefined)).rejects.toThrow('denied');
  });
});
