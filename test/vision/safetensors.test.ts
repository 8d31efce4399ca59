import * as fc from 'fast-check';
import { readTensors, TensorFileDefect, writeTensors } from '../../vision/safetensors';

const weight = { name: 'output.weight', shape: [2, 3], values: Float32Array.of(1, 2, 3, 4, 5, 6) };
const bias = { name: 'output.bias', shape: [2], values: Float32Array.of(-1, 0.5) };

test('the file is laid out as safetensors: header length, JSON header, values without gaps', () => {
  const file = Buffer.from(writeTensors([weight, bias], { format: 'x' }));
  const length = Number(file.readBigUInt64LE(0));
  expect((8 + length) % 8).toBe(0);
  expect(JSON.parse(file.subarray(8, 8 + length).toString())).toEqual({
    __metadata__: { format: 'x' },
    'output.bias': { dtype: 'F32', shape: [2], data_offsets: [0, 8] },
    'output.weight': { dtype: 'F32', shape: [2, 3], data_offsets: [8, 32] },
  });
  const body = file.subarray(8 + length);
  expect(Array.from({ length: 8 }, (_, i) => body.readFloatLE(i * 4))).toEqual([-1, 0.5, 1, 2, 3, 4, 5, 6]);
});

test('neither the order of tensors nor that of metadata changes the bytes', () => {
  expect(writeTensors([bias, weight], { a: '1', b: '2' })).toEqual(writeTensors([weight, bias], { b: '2', a: '1' }));
});

test('tensors and metadata survive writing and reading', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !text.startsWith('__'));
  const tensor = fc.record({ name, values: fc.float32Array({ maxLength: 9 }) });
  const all = fc.uniqueArray(tensor, { selector: (one) => one.name, maxLength: 5 });
  void fc.assert(
    fc.property(all, fc.dictionary(name, fc.string(), { noNullPrototype: true }), (tensors, metadata) => {
      const shaped = tensors.map((one) => ({ ...one, shape: [one.values.length] }));
      const read = readTensors(writeTensors(shaped, metadata));
      expect(read.metadata).toEqual(metadata);
      expect(read.tensors).toEqual(new Map(shaped.map((one) => [one.name, one])));
    }),
    { numRuns: 50 },
  );
});

test('fails when the file is cut, wherever it is cut', () => {
  const file = writeTensors([weight, bias], {});
  for (let length = 0; length < file.length; length++) {
    expect(() => readTensors(file.subarray(0, length))).toThrow(TensorFileDefect);
  }
});

test.each([
  ['the header is no JSON', Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('xx')])],
  ['the header claims a preposterous length', Buffer.alloc(64, 0xff)],
  ['there are values no tensor claims', Buffer.concat([writeTensors([weight], {}), Buffer.alloc(4)])],
])('fails when %s', (_, bytes) => {
  expect(() => readTensors(bytes)).toThrow(TensorFileDefect);
});

test('fails when a tensor is not of float32', () => {
  const file = Buffer.from(writeTensors([weight], {}));
  file.write('F16', file.indexOf('F32'));
  expect(() => readTensors(file)).toThrow(/is F16, only F32/);
});
