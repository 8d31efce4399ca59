import { type Item, parseCondition } from '../../lib/testkit/expression';
import { Table } from '../../lib/testkit/table';
import { refusal } from '../support/refusal';

const item: Item = { count: { N: '10' }, name: { S: 'b' }, open: { BOOL: true }, status: { S: 'leased' } };
const scope = {
  item,
  names: { '#s': 'status' },
  values: {
    ':nine': { N: '9' },
    ':ten': { N: '10' },
    ':a': { S: 'a' },
    ':leased': { S: 'leased' },
    ':yes': { BOOL: true },
  },
};

test.each([
  ['count = :ten', true],
  ['count > :nine', true],
  ['count < :nine', false],
  ['count <= :ten AND count >= :ten', true],
  ['count <> :ten', false],
  ['name > :a', true],
  ['open = :yes', true],
  ['#s = :leased', true],
  ['NOT #s = :leased', false],
  ['attribute_exists(count) AND attribute_not_exists(other)', true],
  ['count = :nine AND name = :a OR open = :yes', true],
  ['count = :nine AND (name = :a OR open = :yes)', false],
  ['(count = :nine OR (count = :ten AND #s = :leased))', true],
])('%s is %s', (text, expected) => {
  expect(parseCondition(text).meaning(scope)).toBe(expected);
});

test.each(['other = :ten', 'other < :ten', 'name = :ten', 'name > :ten'])(
  '%s is false: nothing can be compared with what is absent or of another type',
  (text) => {
    expect(parseCondition(text).meaning(scope)).toBe(false);
  },
);

test.each([
  ['begins_with(name, :a)', 'begins_with'],
  ['count = :ten XOR open = :yes', 'XOR'],
  ['(count = :ten', 'the end'],
  ['count == :ten', '='],
  ['count = $1', '$1'],
])('%s is refused, with the word that is not understood', (text, word) => {
  expect(refusal(() => parseCondition(text))).toMatchObject({
    code: 'HR704',
    details: { got: expect.stringContaining(word) },
  });
});

describe('an update', () => {
  let table = new Table();
  const update = (UpdateExpression: string, values: Item = {}, more: object = {}) =>
    table.update({ Key: { pk: { S: 'k' } }, UpdateExpression, ExpressionAttributeValues: values, ...more }).Attributes;

  beforeEach(() => {
    table = new Table();
  });

  test('sets, adds, falls back on what is absent, and removes', () => {
    const values = { ':zero': { N: '0' }, ':one': { N: '1' }, ':a': { S: 'a' } };
    expect(update('SET n = if_not_exists(n, :zero) + :one, t = :a', values)).toEqual({
      pk: { S: 'k' },
      n: { N: '1' },
      t: { S: 'a' },
    });
    expect(update('SET n = n + :one - :zero REMOVE t', { ':one': { N: '1' }, ':zero': { N: '0' } })).toEqual({
      pk: { S: 'k' },
      n: { N: '2' },
    });
  });

  test('reads what stood there before, in every part', () => {
    update('SET a = :one, b = :two', { ':one': { N: '1' }, ':two': { N: '2' } });
    expect(update('SET a = b, b = a')).toMatchObject({ a: { N: '2' }, b: { N: '1' } });
  });

  test('changes nothing when its condition does not hold', () => {
    update('SET a = :one', { ':one': { N: '1' } });
    const late = { ConditionExpression: 'attribute_not_exists(pk)' };
    expect(() => update('SET a = :two', { ':two': { N: '2' } }, late)).toThrow('The conditional request failed');
    expect(table.get({ Key: { pk: { S: 'k' } } })).toEqual({ Item: { pk: { S: 'k' }, a: { N: '1' } } });
  });

  test.each([
    ['a value that no expression uses', 'SET a = :one', { ':one': { N: '1' }, ':two': { N: '2' } }, /unused.*:two/],
    ['a value that is missing', 'SET a = :one', {}, /not defined: :one/],
    ['an attribute that is not there', 'SET a = b', {}, /does not exist/],
  ])('with %s is refused', (_, text, values, message) => {
    expect(() => update(text, values as Item)).toThrow(message);
  });

  test('with a name that no expression uses is refused', () => {
    const names = { ExpressionAttributeNames: { '#n': 'name' } };
    expect(() => update('SET a = :one', { ':one': { N: '1' } }, names)).toThrow(/unused.*#n/);
  });
});
