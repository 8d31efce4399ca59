import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureWritable } from '../../lib/target/cache-folder';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headrace-cache-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('creates the folder with those above it, also when several do so at once', async () => {
  const folder = join(root, 'a', 'b', 'c');
  await Promise.all([ensureWritable(folder), ensureWritable(folder), ensureWritable(join(folder, 'd'))]);
  expect(existsSync(join(folder, 'd'))).toBe(true);
});

test('fails when a file is in the way', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(ensureWritable(join(root, 'file', 'cache'))).rejects.toMatchObject({ code: 'HR409' });
  await expect(ensureWritable(join(root, 'file'))).rejects.toMatchObject({ code: 'HR409' });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('fails at once where no folder can be made although its parent exists', async () => {
  await expect(ensureWritable('/proc/headrace/cache')).rejects.toMatchObject({
    code: 'HR409',
    details: { got: '/proc/headrace/cache', next: expect.stringContaining('HEADRACE_CACHE') },
  });
});
