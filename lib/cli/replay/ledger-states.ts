import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What the ledger says of one (consumer, event). */
export interface LedgerState {
  readonly done: boolean;
  /** Rises with every attempt. */
  readonly fence: number;
  /** It was given up, and nobody has taken it up again. */
  readonly parked: boolean;
}

const UNKNOWN: LedgerState = { done: false, fence: 0, parked: false };

/** Keys of one request (DynamoDB quota). */
const BATCH = 100;

/** Reads the ledger's records of many keys; a key without a record is told as not begun. */
export type LedgerStates = (keys: readonly string[]) => Promise<(key: string) => LedgerState>;

export function ledgerStates(client: DynamoDBClient, table: string): LedgerStates {
  return async (keys) => {
    const found = new Map<string, LedgerState>();
    const distinct = [...new Set(keys)];
    const batches = Array.from({ length: Math.ceil(distinct.length / BATCH) }, (_, i) =>
      distinct.slice(i * BATCH, (i + 1) * BATCH),
    );
    await Promise.all(
      batches.map(async (batch) => {
        for (const item of await read(client, table, batch)) found.set(item.pk?.S ?? '', stateOf(item));
      }),
    );
    return (key) => found.get(key) ?? UNKNOWN;
  };
}

type Item = Record<string, AttributeValue>;

async function read(client: DynamoDBClient, table: string, keys: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  let left: Item[] = keys.map((key) => ({ pk: { S: key } }));
  while (left.length > 0) {
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(
      new BatchGetItemCommand({
        RequestItems: {
          [table]: {
            Keys: left,
            ConsistentRead: true,
            ProjectionExpression: 'pk, #s, fence, parked_at',
            ExpressionAttributeNames: { '#s': 'status' },
          },
        },
      }),
    );
    items.push(...(Responses[table] ?? []));
    left = UnprocessedKeys[table]?.Keys ?? [];
    if (left.length > 0) await sleep(200);
  }
  return items;
}

const stateOf = ({ status, fence, parked_at }: Item): LedgerState => ({
  done: status?.S === 'done',
  fence: Number(fence?.N ?? 0),
  parked: parked_at !== undefined,
});
