import * as fc from 'fast-check';
import {
  concatFeatures,
  dequantize,
  type FeatureSet,
  PackDefect,
  packFeatures,
  packImages,
  quantize,
  selectFeatures,
  unpackFeatures,
  unpackImages,
} from '../../vision/pack';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const label = fc.integer({ min: 0, max: 255 });

const images = fc.array(fc.record({ key: text, label, hash: text, pixels: fc.uint8Array({ maxLength: 40 }) }), {
  maxLength: 8,
});

const features = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 5 }), fc.boolean())
  .chain(([rows, dims, bytes]) => {
    const size = { minLength: rows * dims, maxLength: rows * dims };
    const each = { minLength: rows, maxLength: rows };
    return fc.record({
      rows: fc.constant(rows),
      dims: fc.constant(dims),
      labels: fc.uint8Array(each),
      hashes: fc.array(text, each),
      keys: fc.array(text, each),
      values: bytes ? fc.uint8Array(size) : fc.float32Array({ ...size, noNaN: true }),
    });
  });

const set = (values: number[][], name: string): FeatureSet => ({
  rows: values.length,
  dims: values[0]!.length,
  labels: Uint8Array.from(values, (_, i) => i),
  hashes: values.map((_, i) => `${name}-hash-${i}`),
  keys: values.map((_, i) => `${name}-${i}`),
  values: Uint8Array.from(values.flat()),
});

test('images survive packing', () => {
  void fc.assert(
    fc.property(images, (items) => expect(unpackImages(packImages(items))).toEqual(items)),
    { numRuns: 60 },
  );
});

test('features survive packing, bytes as bytes and floats as floats', () => {
  void fc.assert(
    fc.property(features, (all) => expect(unpackFeatures(packFeatures(all))).toEqual(all)),
    { numRuns: 60 },
  );
});

test('a block can be read from the middle of a larger buffer, at any offset', () => {
  const block = packFeatures({ ...set([[1, 2]], 'a'), values: Float32Array.of(0.5, -2) });
  const larger = new Uint8Array(block.length + 7);
  larger.set(block, 3);
  expect([...unpackFeatures(larger.subarray(3, 3 + block.length)).values]).toEqual([0.5, -2]);
});

test('what was unpacked does not change when the bytes do', () => {
  const block = packImages([{ key: 'a', label: 1, hash: 'h', pixels: Uint8Array.of(7) }]);
  const [image] = unpackImages(block);
  block.fill(0);
  expect([...image!.pixels]).toEqual([7]);
});

test('fails when the bytes are not a block, and says what was expected', () => {
  void fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(() => unpackImages(bytes)).toThrow(PackDefect);
      expect(() => unpackFeatures(bytes)).toThrow(PackDefect);
    }),
    { numRuns: 60 },
  );
  expect(() => unpackImages(Buffer.from('PK\u0003\u0004 not ours, sixteen and more'))).toThrow(/begin with HRPK/);
});

test('fails when a block is cut, wherever it is cut', () => {
  const block = packImages([{ key: 'a', label: 1, hash: 'h', pixels: Uint8Array.of(1, 2, 3) }]);
  for (let length = 0; length < block.length; length++) {
    expect(() => unpackImages(block.subarray(0, length))).toThrow(PackDefect);
  }
});

test('fails when a block of images is read as features, or comes from a later version', () => {
  const block = packImages([]);
  expect(() => unpackFeatures(block)).toThrow(/not of features/);
  block[4] = 9;
  expect(() => unpackImages(block)).toThrow(/version 9/);
});

test('fails when values do not fill rows and dimensions', () => {
  expect(() => packFeatures({ ...set([[1, 2]], 'a'), rows: 2 })).toThrow(/2 values are not 2 rows of 2/);
});

test('blocks are joined in order', () => {
  const joined = concatFeatures([
    set([[1, 2]], 'a'),
    set(
      [
        [3, 4],
        [5, 6],
      ],
      'b',
    ),
  ]);
  expect(joined).toEqual({
    rows: 3,
    dims: 2,
    labels: Uint8Array.of(0, 0, 1),
    hashes: ['a-hash-0', 'b-hash-0', 'b-hash-1'],
    keys: ['a-0', 'b-0', 'b-1'],
    values: Uint8Array.of(1, 2, 3, 4, 5, 6),
  });
});

test('bytes joined with floats become floats', () => {
  const floats = { ...set([[0, 0]], 'b'), values: Float32Array.of(0.25, 0.5) };
  expect([...concatFeatures([set([[255, 0]], 'a'), floats]).values]).toEqual([1, 0, 0.25, 0.5]);
});

test('fails when blocks of different dimensions are joined', () => {
  expect(() => concatFeatures([set([[1, 2]], 'a'), set([[1]], 'b')])).toThrow(PackDefect);
});

test('rows are selected with all that belongs to them', () => {
  expect(
    selectFeatures(
      set(
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        'a',
      ),
      (row) => row !== 1,
    ),
  ).toEqual({
    rows: 2,
    dims: 2,
    labels: Uint8Array.of(0, 2),
    hashes: ['a-hash-0', 'a-hash-2'],
    keys: ['a-0', 'a-2'],
    values: Uint8Array.of(1, 2, 5, 6),
  });
});

test('quantizing is off by half a step at most and keeps within 0..1', () => {
  void fc.assert(
    fc.property(fc.float({ min: 0, max: 1, noNaN: true }), (value) => {
      const [back] = dequantize(quantize(Float32Array.of(value)));
      expect(Math.abs(back! - value)).toBeLessThanOrEqual(0.5 / 255 + 1e-6);
    }),
  );
  expect([...quantize(Float32Array.of(-3, 7))]).toEqual([0, 255]);
});
