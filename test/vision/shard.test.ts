import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { pack } from 'tar-stream';
import { MAX_MEMBER_BYTES, type RawSample, readShard, ShardDefect, writeShard } from '../../vision/shard';

type Reading = { samples: RawSample[]; code: string | undefined };

async function read(tar: Uint8Array | Readable): Promise<Reading> {
  const samples: RawSample[] = [];
  try {
    for await (const sample of readShard(tar)) samples.push({ ...sample, png: new Uint8Array(sample.png) });
    return { samples, code: undefined };
  } catch (error) {
    if (error instanceof ShardDefect) return { samples, code: error.code };
    throw error;
  }
}

async function tarOf(members: Record<string, Uint8Array | string>): Promise<Uint8Array> {
  const tar = pack();
  for (const [name, body] of Object.entries(members))
    tar.entry({ name }, typeof body === 'string' ? body : Buffer.from(body));
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

const sample = (key: string, label: string | undefined = '5', bytes = 700): RawSample => ({
  key,
  png: new Uint8Array(bytes).fill(key.length),
  label,
});

test('samples survive writing and reading', async () => {
  const part = fc.record({
    png: fc.uint8Array({ minLength: 1, maxLength: 1200 }),
    label: fc.option(fc.string({ unit: 'binary', maxLength: 20 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
      const samples = parts.map((one, i) => ({ ...one, key: `batch/sample-${i}` }));
      expect(await read(await writeShard(samples))).toEqual({ samples, code: undefined });
    }),
    { numRuns: 30 },
  );
});

test('the same samples give the same bytes at any time', async () => {
  jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const first = await writeShard([sample('a'), sample('b')]);
  jest.setSystemTime(2e12);
  expect(await writeShard([sample('a'), sample('b')])).toEqual(first);
  jest.useRealTimers();
});

test('a stream in awkward pieces reads like the whole', async () => {
  const tar = await writeShard([sample('a'), sample('b', '7')]);
  const pieces = Array.from({ length: Math.ceil(tar.length / 333) }, (_, i) => tar.slice(i * 333, (i + 1) * 333));
  expect(await read(Readable.from(pieces))).toEqual({ samples: [sample('a'), sample('b', '7')], code: undefined });
});

test('a shard without members is a shard', async () => {
  expect(await read(await writeShard([]))).toEqual({ samples: [], code: undefined });
});

test('a member whose partner is missing is not lost', async () => {
  const tar = await tarOf({ 'a.png': 'picture', 'b.cls': '3', 'c.png': 'picture', 'c.cls': '4' });
  const { samples, code } = await read(tar);
  expect(code).toBeUndefined();
  expect(samples.map(({ key, png, label }) => [key, png.length, label])).toEqual([
    ['a', 7, undefined],
    ['b', 0, '3'],
    ['c', 7, '4'],
  ]);
});

test('a key that comes twice gives two samples', async () => {
  const twice = await writeShard([sample('a', '1'), sample('a', '2')]);
  expect((await read(twice)).samples.map(({ label }) => label)).toEqual(['1', '2']);
});

test('the label may come first, other members are passed over, and folders belong to the key', async () => {
  const tar = await tarOf({
    'x/a.cls': '1',
    'x/a.json': '{}',
    'x/a.PNG': 'picture',
    'README.md': 'hello',
    './b.png': 'p',
  });
  const { samples } = await read(tar);
  expect(samples.map(({ key, label }) => [key, label])).toEqual([
    ['x/a', '1'],
    ['b', undefined],
  ]);
});

test('a shard cut anywhere yields a prefix of whole samples, then fails', async () => {
  const samples = [sample('a'), sample('b', '7', 100), sample('c', '9', 512)];
  const tar = await writeShard(samples);
  const marker = 1024;
  for (let length = 0; length < tar.length - marker; length += 97) {
    const reading = await read(tar.subarray(0, length));
    expect([length, reading.code]).toEqual([length, 'truncated']);
    expect(reading.samples).toEqual(samples.slice(0, reading.samples.length));
  }
});

test('fails when the shard was cut between two members, which only the missing end marker shows', async () => {
  const samples = [sample('a'), sample('b')];
  const tar = await writeShard(samples);
  expect(await read(tar.subarray(0, tar.length - 1024))).toEqual({ samples, code: 'truncated' });
});

test('fails when the bytes are no tar', async () => {
  expect(await read(new Uint8Array(2048).fill(65))).toEqual({ samples: [], code: 'corrupt' });
});

test('fails when a header inside is damaged, after what came before it', async () => {
  const tar = await writeShard([sample('a'), sample('b')]);
  const second = Buffer.from(tar).indexOf('b.png');
  tar[second] = 0x7a;
  expect(await read(tar)).toEqual({ samples: [sample('a')], code: 'corrupt' });
});

test.each(['../a.png', '/etc/a.png', 'x/../../a.png', 'x\\..\\a.png'])(
  'fails when a member is named %s',
  async (name) => {
    expect(await read(await tarOf({ 'ok.png': 'p', 'ok.cls': '1', [name]: 'p' }))).toMatchObject({
      samples: [{ key: 'ok' }],
      code: 'unsafe-name',
    });
  },
);

test('a member too large for memory becomes a defect, and reading goes on', async () => {
  const tar = await tarOf({
    'big.png': new Uint8Array(MAX_MEMBER_BYTES + 1),
    'big.cls': '1',
    'ok.png': 'p',
    'ok.cls': '2',
  });
  const { samples, code } = await read(tar);
  expect(code).toBeUndefined();
  expect(samples).toMatchObject([
    { key: 'big', defect: 'too-large', label: '1' },
    { key: 'ok', label: '2' },
  ]);
  expect(samples[0]!.png).toHaveLength(0);
});

test('fails as its source fails', async () => {
  const broken = new Readable({ read() {} });
  broken.push(new Uint8Array(512));
  setImmediate(() => broken.destroy(new Error('connection reset')));
  await expect(read(broken)).rejects.toThrow('connection reset');
});

test('a reader may stop early', async () => {
  const tar = await writeShard([sample('a'), sample('b')]);
  for await (const { key } of readShard(tar)) {
    expect(key).toBe('a');
    break;
  }
});
