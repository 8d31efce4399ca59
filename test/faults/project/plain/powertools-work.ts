import { randomUUID } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeEffect } from '../effects';

/** The same work as `do-work`, made idempotent by AWS Lambda Powertools as its documentation shows it. */

const bus = new EventBridgeClient({});
const config = new IdempotencyConfig({ eventKeyJmesPath: 'work', throwOnNoIdempotencyKey: true });
const persistenceStore = new DynamoDBPersistenceLayer({
  tableName: process.env.IDEMPOTENCY_TABLE ?? '',
  keyAttr: 'pk',
});

interface Request {
  readonly work: string;
}

const work = makeIdempotent(
  async (request: Request) => {
    // Powertools hands out no token, so the effect has no name that a second try would share.
    await makeEffect({ token: randomUUID(), of: request.work, by: 'powertools-work' });
    const entry = { EventBusName: process.env.BUS, Source: 'powertools', DetailType: 'powertools.done' };
    await bus.send(new PutEventsCommand({ Entries: [{ ...entry, Detail: JSON.stringify(request) }] }));
    return request.work;
  },
  { persistenceStore, config },
);

export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  config.registerLambdaContext(context);
  const settled = await Promise.allSettled(Records.map(({ body }) => work(JSON.parse(body).detail as Request)));
  const failed = Records.filter((_, i) => settled[i]?.status === 'rejected');
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
