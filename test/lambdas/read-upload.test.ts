import { readUpload } from '../../lambdas/collect-batch/read-upload';
import { NonRetriable } from '../../lib/contract';

test('a manifest is a manifest', () => {
  expect(readUpload('inbox/digits/batch-1/manifest.json')).toEqual({ kind: 'manifest', dataset: 'digits' });
});

test('an image in the folder of a label is a batch of one', () => {
  expect(readUpload('inbox/digits/images/7/a.png')).toEqual({
    kind: 'image',
    dataset: 'digits',
    name: 'a',
    batch: 'single-7-a',
    label: '7',
  });
});

test('the batch of an image has a name that events allow', () => {
  expect(readUpload('inbox/digits/images/7/My Scan_01.b.png')).toMatchObject({
    name: 'My Scan_01.b',
    batch: 'single-7-my-scan-01-b',
  });
});

test('the batch of an image with a long name has a short one', () => {
  const { batch } = readUpload(`inbox/digits/images/7/${'x'.repeat(900)}.png`) as { batch: string };
  expect(batch).toBe(`single-7-${'x'.repeat(71)}`);
});

test('an unlabelled image is a question', () => {
  expect(readUpload('inbox/digits/images/unlabelled/seven.png')).toEqual({
    kind: 'question',
    dataset: 'digits',
    name: 'seven',
  });
});

test.each([
  'inbox/digits/batch-1/shard-0000.tar',
  'inbox/digits/batch-1/deeper/manifest.json',
  'inbox/digits/images/7/a.jpg',
  'inbox/digits/images/7/deeper/a.png',
  'inbox/digits/pictures/7/a.png',
  'outbox/digits/batch-1/manifest.json',
  'manifest.json',
  '',
])("refuses '%s' for good, and says what is allowed", (key) => {
  expect(() => readUpload(key)).toThrow(NonRetriable);
  expect(() => readUpload(key)).toThrow(/Allowed: inbox\/<dataset>\/<batch>\/manifest\.json/);
});
