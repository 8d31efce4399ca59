import fc from 'fast-check';
import { objectCreated } from '../../lib/contract';
import { fits, fitsWildcard, on, passes, ruleFor } from '../../lib/module';
import { busEvent, objectCreatedEvent } from '../support/aws';
import { dated, essayArrived, essayGraded } from '../support/essays';
import { PATTERN_CASES } from '../support/pattern-cases';

test.each(PATTERN_CASES)('$name: $fits', ({ pattern, detail, fits: expected }) => {
  expect(fits({ detail: pattern }, { detail })).toBe(expected);
});

test('a matcher nobody knows is refused, not passed over', () => {
  expect(() => fits({ v: [{ cidr: '10.0.0.0/24' }] }, { v: '10.0.0.1' })).toThrow(/HR201.*cidr/s);
});

test('wildcards span lines and take other signs as they are', () => {
  expect(fitsWildcard('a\nb', 'a*b')).toBe(true);
  expect(fitsWildcard('a+b', 'a+b')).toBe(true);
  expect(fitsWildcard('aab', 'a+b')).toBe(false);
});

test('wildcards fit what an expression would fit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (value, pattern) => {
      const parts = pattern.split(/(\\[*\\]|\*)/).map((part) => {
        if (part === '*') return '.*';
        return (/^\\[*\\]$/.test(part) ? part.slice(1) : part).replaceAll(/[*\\]/g, '\\$&');
      });
      expect(fitsWildcard(value, pattern)).toBe(new RegExp(`^${parts.join('')}$`).test(value));
    }),
    { numRuns: 2_000 },
  );
});

test('a wildcard of many stars does not take for ever', () => {
  expect(fitsWildcard('a'.repeat(2_000), '*a'.repeat(12).concat('*b'))).toBe(false);
});

describe('the rule of a subscription', () => {
  const contracts = [essayArrived, essayGraded];
  const bucketOf = (store: string) => ({ essays: 'essays-bucket' })[store];
  const event = (words: number) => busEvent(essayArrived.create({ ...essayArrived.example, words }));

  test('lets the type through where the filter on the data fits', () => {
    const rule = ruleFor(on(essayArrived, { words: [{ numeric: ['>', 100] }] }), contracts);
    expect(passes(rule, event(300), bucketOf)).toBe(true);
    expect(passes(rule, event(50), bucketOf)).toBe(false);
    expect(passes(rule, busEvent(essayGraded.create(essayGraded.example)), bucketOf)).toBe(false);
  });

  test('lets every member of a family through', () => {
    const rule = ruleFor(on(dated), contracts);
    expect(passes(rule, event(1), bucketOf)).toBe(true);
    expect(passes(rule, busEvent(essayGraded.create(essayGraded.example)), bucketOf)).toBe(false);
  });

  test('lets uploads to its own bucket through, and to no other', () => {
    const rule = ruleFor(on(objectCreated('essays'), { object: { key: [{ prefix: 'in/' }] } }), contracts);
    expect(passes(rule, objectCreatedEvent('in/a.txt', 'essays-bucket'), bucketOf)).toBe(true);
    expect(passes(rule, objectCreatedEvent('out/a.txt', 'essays-bucket'), bucketOf)).toBe(false);
    expect(passes(rule, objectCreatedEvent('in/a.txt', 'other-bucket'), bucketOf)).toBe(false);
    expect(passes(rule, objectCreatedEvent('in/a.txt', 'other-bucket'), () => undefined)).toBe(false);
  });
});
