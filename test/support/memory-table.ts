import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';

type Item = Record<string, AttributeValue>;

/**
 * A DynamoDB table in memory, as far as the ledger speaks its language: conditions joined by AND and OR, and updates
 * with SET, if_not_exists, + and REMOVE. Like DynamoDB it refuses names and values that an expression does not use.
 */
export class MemoryTable {
  readonly items = new Map<string, Item>();
  readonly calls = mockClient(DynamoDBClient);

  constructor() {
    this.calls.on(GetItemCommand).callsFake(({ Key }) => ({ Item: this.items.get(Key.pk.S) }));
    this.calls.on(UpdateItemCommand).callsFake((input: UpdateItemCommandInput) => this.#update(input));
  }

  #update(input: UpdateItemCommandInput): object {
    refuseUnused(input);
    const key = input.Key?.pk?.S ?? '';
    const before = this.items.get(key) ?? {};
    const scope = { item: before, input };
    if (input.ConditionExpression && !holds(input.ConditionExpression, scope)) {
      throw new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
    }
    const after: Item = { pk: { S: key }, ...before };
    const [sets = '', removes = ''] = (input.UpdateExpression ?? '').replace('SET ', '').split(' REMOVE ');
    for (const assignment of sets.split(/, (?![^(]*\))/)) {
      const [name = '', expression = ''] = assignment.split(' = ');
      after[nameOf(name, input)] = evaluate(expression, scope);
    }
    for (const name of removes.split(', ').filter(Boolean)) delete after[nameOf(name, input)];
    this.items.set(key, after);
    return { Attributes: after };
  }
}

interface Scope {
  readonly item: Item;
  readonly input: UpdateItemCommandInput;
}

function holds(condition: string, scope: Scope): boolean {
  const bare = condition.replaceAll(/(?<!attribute_not_exists)\((.*)\)$/g, '$1');
  const [first = '', ...others] = bare.split(' OR ');
  if (others.length > 0) return holds(first, scope) || holds(others.join(' OR '), scope);
  return bare.split(' AND ').every((atom) => atomHolds(atom, scope));
}

function atomHolds(atom: string, scope: Scope): boolean {
  const absent = /^attribute_not_exists\((\S+)\)$/.exec(atom);
  if (absent) return scope.item[nameOf(absent[1] ?? '', scope.input)] === undefined;
  const [left = '', operator = '', right = ''] = atom.split(' ');
  const item = scope.item[nameOf(left, scope.input)];
  const value = evaluate(right, scope);
  if (!item) return false;
  if (operator === '=') return item.S === value.S && item.N === value.N;
  if (operator === '<') return Number(item.N) < Number(value.N);
  if (operator === '>') return Number(item.N) > Number(value.N);
  throw new Error(`the table does not know ${atom}`);
}

function evaluate(expression: string, scope: Scope): AttributeValue {
  const sum = expression.split(' + ');
  if (sum.length > 1) return { N: String(sum.reduce((total, part) => total + Number(evaluate(part, scope).N), 0)) };
  const fallback = /^if_not_exists\((\S+), (\S+)\)$/.exec(expression);
  if (fallback) return scope.item[nameOf(fallback[1] ?? '', scope.input)] ?? evaluate(fallback[2] ?? '', scope);
  const value = scope.input.ExpressionAttributeValues?.[expression];
  if (!value) throw new Error(`An expression attribute value used in expression is not defined: ${expression}`);
  return value;
}

function nameOf(name: string, { ExpressionAttributeNames = {} }: UpdateItemCommandInput): string {
  if (!name.startsWith('#')) return name;
  const real = ExpressionAttributeNames[name];
  if (!real) throw new Error(`An expression attribute name used in the document path is not defined: ${name}`);
  return real;
}

function refuseUnused(input: UpdateItemCommandInput): void {
  const text = `${input.UpdateExpression} ${input.ConditionExpression ?? ''}`;
  const given = [
    ...Object.keys(input.ExpressionAttributeNames ?? {}),
    ...Object.keys(input.ExpressionAttributeValues ?? {}),
  ];
  const unused = given.filter((each) => !new RegExp(`${each}\\b`).test(text));
  if (unused.length > 0) throw new Error(`Value provided in ExpressionAttribute unused in expressions: ${unused}`);
}
