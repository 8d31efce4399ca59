import { type Defect, inspect, inspectAll, isDefect } from '../../vision/defects';
import { encodePng, pixelHash } from '../../vision/image';
import { readMnist } from '../../vision/mnist';
import type { RawSample } from '../../vision/shard';
import { digits, draw } from './samples';

const good = digits(0, 1)[0]!;

test('a good sample keeps its key, picture and label, and gets the hash of its pixels', () => {
  const { image, label } = readMnist('train', 0, 1)[0]!;
  expect(inspect(good)).toEqual({ key: good.key, image, label, hash: pixelHash(image) });
});

test('white space around a label does not matter', () => {
  expect(inspect({ ...good, label: ' 5\n' })).toMatchObject({ label: 5 });
});

test.each<[string, Partial<RawSample>]>([
  ['truncated', { png: good.png.subarray(0, 80) }],
  ['truncated', { png: new Uint8Array() }],
  ['corrupt', { png: Buffer.from('GIF89a, not a PNG at all') }],
  ['blank', { png: encodePng(draw(() => 255)) }],
  ['blank', { png: encodePng(draw((x) => 100 + (x % 2))) }],
  ['wrong-size', { png: encodePng(draw((x) => x, 32)) }],
  ['too-large', { defect: 'too-large' }],
  ['missing-label', { label: undefined }],
  ['missing-label', { label: '\n' }],
  ['impossible-label', { label: '17' }],
  ['impossible-label', { label: 'cat' }],
  ['impossible-label', { label: '-1' }],
  ['impossible-label', { label: '5.0' }],
])('a sample that is %s is refused under that name', (code, change) => {
  const result = inspect({ ...good, ...change });
  expect(result).toMatchObject({ key: good.key, code });
  expect((result as Defect).detail).not.toBe('');
});

test('a faint digit is not blank', () => {
  const { image } = readMnist('train', 0, 1)[0]!;
  const faint = { ...image, pixels: image.pixels.map((grey) => grey / 8) };
  expect(isDefect(inspect({ ...good, png: encodePng(faint) }))).toBe(false);
});

test('a long label is quoted in part only', () => {
  const { detail } = inspect({ ...good, label: 'x'.repeat(5000) }) as Defect;
  expect(detail.length).toBeLessThan(100);
});

test('a picture seen before is a duplicate, whatever its key or label', () => {
  const copy = { ...good, key: 'copy', label: '9' };
  const { clean, defects } = inspectAll([good, copy, ...digits(1, 3)]);
  expect(clean.map(({ key }) => key)).toEqual(['digit-0', 'digit-1', 'digit-2']);
  expect(defects).toMatchObject([{ key: 'copy', code: 'duplicate' }]);
});

test('pictures accepted earlier are remembered across calls when the caller remembers', () => {
  const seen = new Set<string>();
  inspectAll([good], seen);
  expect(inspectAll([{ ...good, key: 'later' }], seen).defects).toMatchObject([{ key: 'later', code: 'duplicate' }]);
});

test('a defective sample does not make a later good one a duplicate', () => {
  const { clean } = inspectAll([{ ...good, key: 'unlabelled', label: undefined }, good]);
  expect(clean.map(({ key }) => key)).toEqual([good.key]);
});
