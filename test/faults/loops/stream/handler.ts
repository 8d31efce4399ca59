import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { chainFrom, publish } from 'headrace/runtime';
import { wordNoted } from '../events/word-noted.v1';

const client = new EventBridgeClient({});

/** Tells of every new item, going on with the chain in which it was written. */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<void> {
  await Promise.all(Records.map(tell));
}

async function tell({ eventName, dynamodb }: DynamoDBStreamEvent['Records'][number]): Promise<void> {
  const { chain, cause: text } = dynamodb?.NewImage ?? {};
  if (eventName !== 'INSERT' || chain?.S === undefined) return;
  const cause = chainFrom(text?.S);
  const options = { client, bus: process.env.BUS ?? '', ...(cause && { cause }) };
  await publish([wordNoted.create({ chain: chain.S })], options);
}
