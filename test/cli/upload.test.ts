import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { main } from '../../lib/cli';
import { storesIn } from '../../lib/cli/upload';
import { stackAnswer } from './stack-answer';
import { testHost } from './test-host';

const cloudformation = mockClient(CloudFormationClient);
const s3 = mockClient(S3Client);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headrace-upload-'));
  cloudformation.reset();
  s3.reset();
  const outputs = { Bus: 'bus', StoreDatasets: 'digits-datasets', StoreBadLabels: 'digits-bad-labels', Ledger: 't' };
  cloudformation.on(DescribeStacksCommand).resolves(stackAnswer(outputs));
  s3.on(PutObjectCommand).resolves({});
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(...names: string[]) {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
}

async function upload(...argv: string[]) {
  const host = testHost({ cwd: folder, env: { AWS_REGION: 'eu-central-1' } });
  const code = await main(['upload', ...argv, '--target', 'aws'], host);
  return { code, out: host.out(), err: host.err() };
}

const puts = () => s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);

test('a file gets its own name, or the key that was given, and the content type of its ending', async () => {
  write('digit.png');
  expect(await upload('datasets', 'digit.png')).toMatchObject({ code: 0, out: 's3://digits-datasets/digit.png\n' });
  expect(await upload('datasets', 'digit.png', 'inbox/7.png')).toMatchObject({
    out: 's3://digits-datasets/inbox/7.png\n',
  });
  expect(await upload('datasets', 'digit.png', 'inbox/')).toMatchObject({
    out: 's3://digits-datasets/inbox/digit.png\n',
  });
  expect(puts()[0]).toMatchObject({ Bucket: 'digits-datasets', Key: 'digit.png', ContentType: 'image/png' });
});

test('a folder is uploaded with what is in it, each manifest last', async () => {
  write('batch/manifest.json', 'batch/a/manifest.json', 'batch/a/shard.tar', 'batch/z.bin');
  const { code, out } = await upload('datasets', 'batch', 'inbox/b-1/', '--json');
  expect(code).toBe(0);
  const keys = ['a/shard.tar', 'z.bin', 'a/manifest.json', 'manifest.json'].map((key) => `inbox/b-1/${key}`);
  expect(JSON.parse(out)).toEqual({ uris: keys.map((key) => `s3://digits-datasets/${key}`) });
  // What is no manifest goes several at a time, in any order.
  const sent = puts().map(({ Key }) => String(Key));
  expect([...sent.slice(0, 2).sort(), ...sent.slice(2)]).toEqual(keys);
  expect(Object.fromEntries(puts().map(({ Key, ContentType }) => [Key, ContentType]))).toEqual({
    'inbox/b-1/a/shard.tar': 'application/x-tar',
    'inbox/b-1/z.bin': 'application/octet-stream',
    'inbox/b-1/a/manifest.json': 'application/json',
    'inbox/b-1/manifest.json': 'application/json',
  });
});

test('a manifest stays away when a file before it could not be uploaded', async () => {
  write('batch/manifest.json', 'batch/shard.tar');
  s3.on(PutObjectCommand).rejects(new Error('the line is cut'));
  expect((await upload('datasets', 'batch')).code).toBe(1);
  expect(puts().map(({ Key }) => Key)).toEqual(['batch/shard.tar']);
});

test('more than ten files are told in one line', async () => {
  write(...Array.from({ length: 11 }, (_, i) => `batch/${i}.png`), 'batch/manifest.json');
  const { out } = await upload('bad-labels', 'batch');
  expect(out).toBe('12 files, the last of them s3://digits-bad-labels/batch/manifest.json\n');
});

test('--dry-run lists and uploads nothing', async () => {
  write('batch/manifest.json', 'batch/shard.tar');
  const { out } = await upload('datasets', 'batch', '--dry-run');
  expect(out).toContain('s3://digits-datasets/batch/shard.tar\ns3://digits-datasets/batch/manifest.json\n');
  expect(puts()).toEqual([]);
});

test('fails when the store is unknown, naming those deployed, and when there is nothing to upload', async () => {
  write('digit.png');
  mkdirSync(join(folder, 'empty'));
  const unknown = await upload('dataset', 'digit.png');
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean 'datasets'?") });
  expect(unknown.err).toMatch(/HR501.*\n.*\n.*bad-labels, datasets/);
  expect(await upload('datasets', 'empty')).toMatchObject({ code: 2, err: expect.stringContaining('holds no files') });
  expect(await upload('datasets', 'nowhere')).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
});

test('the stores of a stack are named as they were declared', () => {
  expect(storesIn({ Bus: 'b', StoreModels: 'm', StoreBadLabels: 'l' })).toEqual([
    { name: 'bad-labels', bucket: 'l' },
    { name: 'models', bucket: 'm' },
  ]);
});
