import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';

/** Makes a client on first use and keeps it for the life of the process. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

// One constant each, so that a function's bundle holds only the clients it uses.
/** Configured by the function's environment alone, like the clients below. */
export const dynamodb = /* @__PURE__ */ lazily(() => new DynamoDBClient({}));
export const eventbridge = /* @__PURE__ */ lazily(() => new EventBridgeClient({}));
export const s3 = /* @__PURE__ */ lazily(
  () => new S3Client({ forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined }),
);
export const sfn = /* @__PURE__ */ lazily(() => new SFNClient({}));
export const sqs = /* @__PURE__ */ lazily(() => new SQSClient({}));
