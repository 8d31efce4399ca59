import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

/** The outside world: each row is one effect that truly happened. Headrace neither reads nor writes it. */
export const EFFECTS_TABLE = 'faults-effects';

const client = new DynamoDBClient({});

export interface Effect {
  /** Key of the row: the same token twice is the same effect, as with any service that takes an idempotency token. */
  readonly token: string;
  /** What the effect was made for. */
  readonly of: string;
  /** Who made it. */
  readonly by: string;
}

/** Makes an effect. `calls` of its row counts how often it was asked for. */
export async function makeEffect({ token, of, by }: Effect): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName: EFFECTS_TABLE,
      Key: { pk: { S: token } },
      UpdateExpression: 'SET #of = :of, #by = :by ADD calls :one',
      ExpressionAttributeNames: { '#of': 'of', '#by': 'by' },
      ExpressionAttributeValues: { ':of': { S: of }, ':by': { S: by }, ':one': { N: '1' } },
    }),
  );
}
