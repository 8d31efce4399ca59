/** Patterns and events, and whether EventBridge matches them: what the emulator decides is compared in the e2e tests. */
export interface PatternCase {
  readonly name: string;
  /** Pattern and event for `detail`. */
  readonly pattern: object;
  readonly detail: object;
  readonly fits: boolean;
}

const one = (name: string, matcher: unknown, value: unknown, fits: boolean): PatternCase => ({
  name,
  pattern: { v: [matcher] },
  detail: value === undefined ? {} : { v: value },
  fits,
});

export const PATTERN_CASES: readonly PatternCase[] = [
  one('a text is itself', 'a', 'a', true),
  one('a text is no other', 'a', 'A', false),
  one('a number is no text', '5', 5, false),
  one('a number is itself', 5, 5, true),
  one('true is true', true, true, true),
  one('true is not "true"', true, 'true', false),
  one('null is null', null, null, true),
  one('null is not absent', null, undefined, false),
  one('one element of a list is enough', 'b', ['a', 'b'], true),
  one('no element of the list', 'c', ['a', 'b'], false),
  one('prefix', { prefix: 'in/' }, 'in/a', true),
  one('prefix elsewhere', { prefix: 'in/' }, 'a/in/', false),
  one('the empty prefix', { prefix: '' }, 'a', true),
  one('prefix of a number', { prefix: '5' }, 5, false),
  one('suffix', { suffix: '.png' }, 'a.png', true),
  one('suffix elsewhere', { suffix: '.png' }, 'a.png.txt', false),
  one('wildcard', { wildcard: 'in/*/x.*' }, 'in/a/b/x.png', true),
  one('wildcard for nothing', { wildcard: 'a*b' }, 'ab', true),
  one('wildcard is whole', { wildcard: 'a*b' }, 'abc', false),
  one('a dot is a dot', { wildcard: 'a.b*' }, 'axb', false),
  one('an escaped star is a star', { wildcard: 'a\\*b' }, 'a*b', true),
  one('an escaped star is no wildcard', { wildcard: 'a\\*b' }, 'axb', false),
  one('equals-ignore-case', { 'equals-ignore-case': 'ABC' }, 'abC', true),
  one('equals-ignore-case of another', { 'equals-ignore-case': 'ABC' }, 'abd', false),
  one('anything but', { 'anything-but': 'a' }, 'b', true),
  one('anything but itself', { 'anything-but': 'a' }, 'a', false),
  one('anything but of an absent field', { 'anything-but': 'a' }, undefined, false),
  one('anything but a list', { 'anything-but': ['a', 'b'] }, 'b', false),
  one('anything but a number', { 'anything-but': 5 }, 6, true),
  one('anything but a prefix', { 'anything-but': { prefix: 'in' } }, 'out', true),
  one('anything but its prefix', { 'anything-but': { prefix: 'in' } }, 'inside', false),
  one('anything but its suffix', { 'anything-but': { suffix: '.png' } }, 'a.png', false),
  one('exists', { exists: true }, 'a', true),
  one('exists as null', { exists: true }, null, true),
  one('does not exist', { exists: true }, undefined, false),
  one('shall not exist and does not', { exists: false }, undefined, true),
  one('shall not exist and does', { exists: false }, 'a', false),
  one('numeric', { numeric: ['>', 0, '<=', 5] }, 5, true),
  one('numeric out of range', { numeric: ['>', 0, '<=', 5] }, 0, false),
  one('numeric equal', { numeric: ['=', 3] }, 3, true),
  one('numeric of a text', { numeric: ['>', 0] }, '1', false),
  { name: 'one of several matchers', pattern: { v: ['a', { prefix: 'b' }] }, detail: { v: 'bc' }, fits: true },
  { name: 'all of several fields', pattern: { a: [1], b: [2] }, detail: { a: 1, b: 2 }, fits: true },
  { name: 'not all of several fields', pattern: { a: [1], b: [2] }, detail: { a: 1, b: 3 }, fits: false },
  { name: 'a field inside', pattern: { o: { k: ['x'] } }, detail: { o: { k: 'x', more: 1 } }, fits: true },
  { name: 'a field inside what is absent', pattern: { o: { k: ['x'] } }, detail: {}, fits: false },
  { name: 'absence inside what is absent', pattern: { o: { k: [{ exists: false }] } }, detail: {}, fits: true },
  {
    name: 'a field of a listed object',
    pattern: { o: { k: ['x'] } },
    detail: { o: [{ k: 'y' }, { k: 'x' }] },
    fits: true,
  },
  {
    name: 'fields of two listed objects are not of one',
    pattern: { o: { k: ['x'], n: [1] } },
    detail: {
      o: [
        { k: 'x', n: 2 },
        { k: 'y', n: 1 },
      ],
    },
    fits: false,
  },
  { name: '$or, the second', pattern: { $or: [{ a: [1] }, { b: [2] }] }, detail: { a: 0, b: 2 }, fits: true },
  { name: '$or, none', pattern: { $or: [{ a: [1] }, { b: [2] }] }, detail: { a: 2, b: 1 }, fits: false },
  {
    name: '$or beside a field',
    pattern: { c: [3], $or: [{ a: [1] }, { b: [2] }] },
    detail: { a: 1, c: 4 },
    fits: false,
  },
];
