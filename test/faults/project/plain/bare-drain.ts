import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeEffect } from '../effects';

/**
 * The least a consumer can do: as many calls for each message as Headrace makes, one after the other, each repeated
 * until it succeeds. It keeps no record and returns nothing to the queue.
 */

const bus = new EventBridgeClient({});

/** How many calls one message takes, by service. */
interface Load {
  readonly item: string;
  readonly dynamodb: number;
  readonly events: number;
}

async function untilItSucceeds(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
      if (status === undefined) throw error;
    }
  }
}

async function drain({ item, dynamodb, events }: Load): Promise<void> {
  for (let i = 0; i < dynamodb; i++) {
    await untilItSucceeds(() => makeEffect({ token: `bare#${item}#${i}`, of: item, by: 'bare-drain' }));
  }
  const entry = { EventBusName: process.env.BUS, Source: 'bare', DetailType: 'bare.drained', Detail: '{}' };
  for (let i = 0; i < events; i++) {
    await untilItSucceeds(() => bus.send(new PutEventsCommand({ Entries: [entry] })));
  }
}

export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  await Promise.all(Records.map(({ body }) => drain(JSON.parse(body).detail as Load)));
  return { batchItemFailures: [] };
}
