import * as fc from 'fast-check';
import { decode, encode } from 'fast-png';
import { decodePng, encodePng, type Image, pixelHash } from '../../vision/image';
import { buildPng, chunk, SIGNATURE } from './png';
import { digits, draw, refusal } from './samples';

const image = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((pixels): Image => ({ width, height, pixels })),
  );

test('a picture survives encoding and decoding', () => {
  void fc.assert(
    fc.property(image, (original) => expect(decodePng(encodePng(original))).toEqual(original)),
    { numRuns: 50 },
  );
});

test('lines under any of the five filters decode as the general decoder decodes them', () => {
  const nine = { minLength: 9, maxLength: 9 };
  const pixels = fc.oneof(fc.uint8Array(nine), fc.uint8Array({ ...nine, max: 3 }));
  const line = fc.tuple(fc.integer({ min: 0, max: 4 }), pixels);
  void fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const bytes = Uint8Array.from(lines.flatMap(([filter, pixels]) => [filter, ...pixels]));
      const png = buildPng({ width: 9, height: lines.length, lines: bytes });
      expect([...decodePng(png).pixels]).toEqual([...decode(png).data]);
    }),
    { numRuns: 100 },
  );
});

test('colour becomes grey by luma weights', () => {
  const png = encode({
    width: 4,
    height: 1,
    channels: 3,
    data: Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9),
  });
  expect([...decodePng(png).pixels]).toEqual([76, 150, 29, 9]);
});

test('transparency is laid over black', () => {
  const grey = encode({ width: 2, height: 1, channels: 2, data: Uint8Array.of(200, 255, 200, 51) });
  const colour = encode({
    width: 2,
    height: 1,
    channels: 4,
    data: Uint8Array.of(100, 100, 100, 255, 100, 100, 100, 0),
  });
  expect([...decodePng(grey).pixels]).toEqual([200, 40]);
  expect([...decodePng(colour).pixels]).toEqual([100, 0]);
});

test('sixteen bits are rounded to eight', () => {
  const png = encode({ width: 3, height: 1, channels: 1, depth: 16, data: Uint16Array.of(0, 257 * 100 + 5, 65535) });
  expect([...decodePng(png).pixels]).toEqual([0, 100, 255]);
});

test('one, two and four bits spread over the full range, lines padded to whole bytes', () => {
  const one = buildPng({ width: 3, height: 2, depth: 1, lines: Uint8Array.of(0, 0b10100000, 0, 0b01000000) });
  const two = buildPng({ width: 4, height: 1, depth: 2, lines: Uint8Array.of(0, 0b00011011) });
  const four = buildPng({ width: 2, height: 1, depth: 4, lines: Uint8Array.of(0, 0x3f) });
  expect([...decodePng(one).pixels]).toEqual([255, 0, 255, 0, 255, 0]);
  expect([...decodePng(two).pixels]).toEqual([0, 85, 170, 255]);
  expect([...decodePng(four).pixels]).toEqual([51, 255]);
});

test('a palette is looked up', () => {
  const between = [chunk('PLTE', Uint8Array.of(0, 0, 0, 255, 255, 255, 10, 10, 10))];
  const png = buildPng({ width: 3, height: 1, colour: 3, lines: Uint8Array.of(0, 2, 1, 0), between });
  expect([...decodePng(png).pixels]).toEqual([10, 255, 0]);
});

test('an interlaced picture decodes like a plain one', () => {
  const picture = draw((x, y) => (x * 9 + y * 5) % 256, 13);
  const png = encode({ width: 13, height: 13, channels: 1, data: picture.pixels }, { interlace: 'Adam7' });
  expect(decodePng(png)).toEqual(picture);
});

test('the hash names what a picture shows, not how it is encoded', () => {
  const picture = draw((x, y) => (x * y) % 256);
  const coloured = Uint8Array.from([...picture.pixels].flatMap((grey) => [grey, grey, grey]));
  const again = decodePng(encode({ width: 28, height: 28, channels: 3, data: coloured }));
  expect(pixelHash(again)).toBe(pixelHash(picture));
  expect(pixelHash({ ...picture, width: 14, height: 56 })).not.toBe(pixelHash(picture));
});

test('fails when the file is cut, wherever it is cut', () => {
  const { png } = digits(0, 1)[0]!;
  for (let length = 0; length < png.length; length++) {
    expect([length, refusal(() => decodePng(png.subarray(0, length)))]).toEqual([length, 'truncated']);
  }
});

test('fails when any byte is flipped', () => {
  const { png } = digits(0, 1)[0]!;
  for (let at = 0; at < png.length; at++) {
    const damaged = png.slice();
    damaged[at] = damaged[at]! ^ 0x5a;
    expect([at, refusal(() => decodePng(damaged))]).not.toEqual([at, undefined]);
  }
});

test('fails when the pixel data is shorter than the header promises, though every checksum is right', () => {
  expect(refusal(() => decodePng(buildPng({ width: 4, height: 4, lines: new Uint8Array(10) })))).toBe('truncated');
});

test('fails when the header asks for more pixels than the limit, before decompressing', () => {
  expect(refusal(() => decodePng(buildPng({ width: 1025, height: 1, lines: Uint8Array.of(0) })))).toBe('too-large');
  expect(refusal(() => decodePng(buildPng({ width: 1, height: 2 ** 31, lines: Uint8Array.of(0) })))).toBe('too-large');
});

test('fails when the pixel data decompresses to more than the header promises', () => {
  const bomb = buildPng({ width: 28, height: 28, lines: new Uint8Array(20_000_000) });
  expect(bomb.length).toBeLessThan(50_000);
  expect(refusal(() => decodePng(bomb))).toBe('corrupt');
});

test('chunks that do not matter never reach the decoder', () => {
  const between = [chunk('iCCP', Buffer.from('profile\0\0not compressed')), chunk('tEXt', Uint8Array.of(1, 2, 3))];
  const png = buildPng({ width: 1, height: 1, colour: 2, lines: Uint8Array.of(0, 7, 7, 7), between });
  expect([...decodePng(png).pixels]).toEqual([7]);
});

test.each([
  ['is no PNG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['does not begin with a header', Buffer.concat([SIGNATURE, chunk('IDAT', new Uint8Array(20))])],
  ['has no pixels', buildPng({ width: 0, height: 4, lines: Uint8Array.of(0) })],
  ['has an unknown colour type', buildPng({ width: 1, height: 1, colour: 5, lines: Uint8Array.of(0, 0) })],
  ['has an unknown filter', buildPng({ width: 1, height: 1, lines: Uint8Array.of(9, 0) })],
  ['has an unknown depth', buildPng({ width: 1, height: 1, depth: 3, lines: Uint8Array.of(0, 0) })],
  [
    'is interlaced with less than eight bits',
    buildPng({ width: 8, height: 8, depth: 1, interlace: 1, lines: new Uint8Array(40) }),
  ],
  [
    'names a colour its palette lacks',
    buildPng({
      width: 1,
      height: 1,
      colour: 3,
      lines: Uint8Array.of(0, 9),
      between: [chunk('PLTE', Uint8Array.of(1, 2, 3))],
    }),
  ],
  ['has a palette but does not bring it', buildPng({ width: 1, height: 1, colour: 3, lines: Uint8Array.of(0, 0) })],
])('fails when the file %s', (_, bytes) => {
  expect(refusal(() => decodePng(new Uint8Array(bytes)))).toBe('corrupt');
});
