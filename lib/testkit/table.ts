import {
  ConditionalCheckFailedException,
  type GetItemCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type Item, type Parsed, parseCondition, parseUpdate, type Scope } from './expression';

type Input = Omit<UpdateItemCommandInput, 'TableName'>;

/**
 * A DynamoDB table in memory with the key `pk`, as far as the runtime speaks its language: conditional updates and
 * consistent reads. Like DynamoDB it refuses names and values that are missing or that no expression uses.
 */
export class Table {
  readonly items = new Map<string, Item>();

  get({ Key }: Pick<GetItemCommandInput, 'Key'>): { Item?: Item } {
    const item = this.items.get(Key?.pk?.S ?? '');
    return item ? { Item: item } : {};
  }

  /** @throws ConditionalCheckFailedException when the condition does not hold */
  update(input: Input): { Attributes: Item } {
    const condition = input.ConditionExpression === undefined ? undefined : parseCondition(input.ConditionExpression);
    const update = parseUpdate(input.UpdateExpression ?? '');
    refuseWrongPlaceholders(input, [condition, update]);
    const key = input.Key?.pk?.S ?? '';
    const scope: Scope = {
      item: this.items.get(key) ?? {},
      names: input.ExpressionAttributeNames ?? {},
      values: input.ExpressionAttributeValues ?? {},
    };
    if (condition && !condition.meaning(scope)) {
      throw new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });
    }
    const after: Record<string, Item[string]> = { pk: { S: key }, ...scope.item };
    for (const { path, value } of update.meaning.set) {
      const result = value(scope);
      if (result === undefined) throw invalid('The provided expression refers to an attribute that does not exist');
      after[path(scope)] = result;
    }
    for (const path of update.meaning.remove) delete after[path(scope)];
    this.items.set(key, after);
    return { Attributes: after };
  }
}

function refuseWrongPlaceholders(input: Input, parsed: readonly (Parsed<unknown> | undefined)[]): void {
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = input;
  for (const { uses } of parsed.filter((each) => each !== undefined)) {
    for (const used of uses) {
      if (names[used] !== undefined || values[used] !== undefined) continue;
      throw invalid(`An expression attribute used in expression is not defined: ${used}`);
    }
  }
  for (const name of [...Object.keys(names), ...Object.keys(values)]) {
    if (parsed.some((each) => each?.uses.has(name))) continue;
    throw invalid(`Value provided in ExpressionAttribute unused in expressions: ${name}`);
  }
}

const invalid = (message: string) =>
  Object.assign(new Error(message), { name: 'ValidationException', $metadata: { httpStatusCode: 400 } });
