import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type ClientName, platform, standIn } from './platform';

/** Makes a client on first use and keeps it for the life of the process; another platform has its own. */
function client<T extends object>(name: ClientName, make: () => T): () => T {
  let made: T | undefined;
  return () => {
    const other = standIn(name);
    if (other) return other as T;
    made ??= make();
    return made;
  };
}

// One constant each, so that a function's bundle holds only the clients it uses.
/** Configured by the function's environment alone, like the clients below. */
export const dynamodb = /* @__PURE__ */ client('dynamodb', () => new DynamoDBClient({}));
export const eventbridge = /* @__PURE__ */ client('eventbridge', () => new EventBridgeClient({}));
export const s3 = /* @__PURE__ */ client(
  's3',
  () => new S3Client({ forcePathStyle: platform().env('AWS_ENDPOINT_URL') !== undefined }),
);
export const sfn = /* @__PURE__ */ client('sfn', () => new SFNClient({}));
export const sqs = /* @__PURE__ */ client('sqs', () => new SQSClient({}));
