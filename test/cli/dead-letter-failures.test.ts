import { fingerprintOf, ownFrame, plainMessage } from '../../lib/cli/dead-letters/fingerprint';

const letter = (message: string, more: object = {}) => ({
  module: 'train',
  reason: 'attempts',
  error: { name: 'Error', message, ...more },
});

test.each([
  ["no such parcel: 'a-1'", "no such parcel: 'b-2'"],
  ['took 1200 ms', 'took 7.5 ms'],
  ['object s3://bucket-a/x/1.json is gone', 'object s3://bucket-b/y/2.json is gone'],
  ['shards that are not there: shard-0000.tar', 'shards that are not there: shard-0007.tar, shard-0009.tar'],
  ['run train-5d41402abc4b2a76 failed', 'run train-7d793037a0760186 failed'],
  ['not before 2026-01-01T00:00:00.000Z', 'not before 2027-12-31T23:59:59Z'],
  ['id 5f0c2a1e-1111-4222-8333-444455556666 twice', 'id 6a0c2a1e-9999-4222-8333-444455556666 twice'],
  ['[HR102] accuracy = 1.5: Too big', 'accuracy = 7: Too big'],
  ['ids [1,2,3] are odd', 'ids [5] are odd'],
])('%p and %p are one failure', (one, other) => {
  expect(fingerprintOf(letter(one))).toBe(fingerprintOf(letter(other)));
});

test.each([
  [letter('disk full'), letter('disk broken')],
  [letter("it can't be read"), letter("it can't be sent")],
  [letter('caused by HR306'), letter('caused by HR307')],
  [letter('same', { code: 'HR306' }), letter('same', { code: 'HR307' })],
  [letter('same'), { ...letter('same'), module: 'deploy' }],
  [letter('same'), { ...letter('same'), reason: 'poison' }],
])('another message, code, module or reason is another failure', (one, other) => {
  expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
});

test('a fingerprint is 8 hex digits, the same on every machine', () => {
  expect(fingerprintOf(letter('disk full'))).toBe('8659ab55');
});

test('a message keeps what does not vary', () => {
  expect(plainMessage("[HR306] The object 'x' doesn't exist after 3 tries.")).toBe(
    "The object <value> doesn't exist after <n> tries.",
  );
});

const stackIn = (...lines: string[]) => ['Error: x', ...lines.map((line) => `    at ${line}`)].join('\n');

test("the place is the first frame of the user's own code, without its line", () => {
  const stack = stackIn(
    'S3Store.open (/app/node_modules/headrace/lib/runtime/store.ts:10:2)',
    'async logic (/app/lambdas/train/handler.ts:12:9)',
    'work (/app/node_modules/headrace/lib/runtime/work.ts:1:1)',
  );
  expect(ownFrame(stack)).toBe('lambdas/train/handler.ts#logic');
  expect(ownFrame(stackIn('/app/events/arrived.ts:1:1'))).toBe('events/arrived.ts');
});

test('minified code has no place: a new version does not make a new failure', () => {
  expect(ownFrame(stackIn('a (file:///var/task/index.mjs:3:1200)', 'node:internal/x:1:1'))).toBeUndefined();
  const at = (column: number) => letter('same', { stack: stackIn(`a (file:///var/task/index.mjs:3:${column})`) });
  expect(fingerprintOf(at(1))).toBe(fingerprintOf(at(2)));
});
