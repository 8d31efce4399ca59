import { Readable } from 'node:stream';
import { extract, type Header, pack } from 'tar-stream';
import type { DefectCode } from './image-defect';

/**
 * One sample as it lies in a shard, not yet judged.
 * `png` is empty when the shard holds only the label; `label` is undefined when it holds only the picture;
 * `defect` is set when the member itself was refused (too large to be read into memory).
 */
export type RawSample = { key: string; png: Uint8Array; label: string | undefined; defect?: DefectCode };

/** What makes a shard unreadable from some point on. */
export type ShardDefectCode = 'truncated' | 'corrupt' | 'unsafe-name';

/** A shard that cannot be read further. Samples yielded before it was thrown are whole. */
export class ShardDefect extends Error {
  override readonly name = 'ShardDefect';
  readonly code: ShardDefectCode;

  constructor(code: ShardDefectCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The largest picture read into memory, in bytes; a larger one becomes a sample with defect `too-large`. */
export const MAX_MEMBER_BYTES = 1 << 20;

const BLOCK = 512;

/**
 * Reads a WebDataset shard: a tar whose members `<key>.png` and `<key>.cls` (the label as text) lie next to each other.
 * A member whose partner is missing still yields a sample, so that nothing is lost uncounted. Other members are skipped.
 *
 * @throws ShardDefect `truncated` (after yielding what was whole), `corrupt` (no tar, or broken inside),
 *   `unsafe-name` (a member name that leaves its folder)
 */
export async function* readShard(tar: Uint8Array | Readable): AsyncIterable<RawSample> {
  let current: RawSample | undefined;
  try {
    for await (const member of readMembers(tar)) {
      if (current && (current.key !== member.key || has(current, member.part))) {
        yield current;
        current = undefined;
      }
      current = addMember(current ?? { key: member.key, png: new Uint8Array(), label: undefined }, member);
    }
  } catch (error) {
    if (current && isWhole(current)) yield current;
    throw error;
  }
  if (current) yield current;
}

/**
 * Writes samples as a WebDataset shard. The same samples always give the same bytes: every time, owner and mode is fixed.
 * An empty `png` or undefined `label` leaves that member out.
 */
export async function writeShard(samples: Iterable<RawSample>): Promise<Uint8Array> {
  const tar = pack();
  for (const { key, png, label } of samples) {
    if (png.length > 0) tar.entry(headerOf(`${key}.png`), Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    if (label !== undefined) tar.entry(headerOf(`${key}.cls`), label);
  }
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

type Part = { key: string; part: 'png' | 'cls' };

/** `body` is undefined when the member was too large to be read. */
type Member = Part & { body: Uint8Array | undefined };

/** The members that are ours, in the order of the shard. */
async function* readMembers(tar: Uint8Array | Readable): AsyncIterable<Member> {
  const ending = { zeros: 0 };
  const entries = extract();
  const source = Readable.from(watchEnding(tar, ending));
  source.on('error', (error) => entries.destroy(error));
  source.pipe(entries as unknown as NodeJS.WritableStream);
  try {
    for await (const entry of entries) {
      const part = partOf(entry.header);
      const body = part && entry.header.size <= MAX_MEMBER_BYTES ? await readAll(entry) : await skip(entry);
      if (part) yield { ...part, body };
    }
  } catch (cause) {
    throw toShardDefect(cause);
  } finally {
    source.destroy();
  }
  if (ending.zeros < BLOCK) {
    throw new ShardDefect('truncated', 'the shard has no end-of-archive marker: it was cut between two members');
  }
}

function headerOf(name: string): Partial<Header> & { name: string } {
  return { name, mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) };
}

/** The sample a member belongs to and its part in it; undefined for members that are not ours. */
function partOf({ name, type }: Header): Part | undefined {
  if (name.includes('\0') || name.includes('\\') || name.startsWith('/') || name.split('/').includes('..')) {
    throw new ShardDefect('unsafe-name', `member ${JSON.stringify(name.slice(0, 100))} would leave its folder`);
  }
  const match = /^(?:\.\/)?(.*?[^/])\.(png|cls)$/i.exec(name);
  if (type !== 'file' || !match) return undefined;
  return { key: match[1]!, part: match[2]!.toLowerCase() as 'png' | 'cls' };
}

function addMember(sample: RawSample, { part, body }: Member): RawSample {
  if (!body) return { ...sample, defect: 'too-large' };
  if (part === 'png') return { ...sample, png: body };
  return {
    ...sample,
    label: Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 256)).toString('utf8'),
  };
}

function has({ png, label, defect }: RawSample, part: Part['part']): boolean {
  return part === 'png' ? png.length > 0 || defect !== undefined : label !== undefined;
}

function isWhole({ png, label }: RawSample): boolean {
  return png.length > 0 && label !== undefined;
}

async function readAll(entry: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return chunks.length === 1 ? chunks[0]! : new Uint8Array(Buffer.concat(chunks));
}

async function skip(entry: AsyncIterable<unknown>): Promise<undefined> {
  for await (const _ of entry);
}

/** Passes bytes on and counts the zeros the shard ends with: tar marks its end with empty blocks. */
async function* watchEnding(tar: Uint8Array | Readable, ending: { zeros: number }): AsyncIterable<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> | Uint8Array[] = tar instanceof Uint8Array ? [tar] : tar;
  for await (const chunk of chunks) {
    let tail = chunk.length;
    while (tail > 0 && chunk[tail - 1] === 0) tail--;
    ending.zeros = tail === 0 ? ending.zeros + chunk.length : chunk.length - tail;
    yield chunk;
  }
}

function toShardDefect(cause: unknown): unknown {
  if (cause instanceof ShardDefect) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (message.includes('Unexpected end of data'))
    return new ShardDefect('truncated', 'the shard ends inside a member', { cause });
  if (/^Invalid (tar )?header|max size/.test(message)) return new ShardDefect('corrupt', message, { cause });
  return cause;
}
