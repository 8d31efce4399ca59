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

/** Clients configured by the function's environment alone. */
export const clients = {
  dynamodb: lazily(() => new DynamoDBClient({})),
  eventbridge: lazily(() => new EventBridgeClient({})),
  s3: lazily(() => new S3Client({ forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined })),
  sfn: lazily(() => new SFNClient({})),
  sqs: lazily(() => new SQSClient({})),
};
