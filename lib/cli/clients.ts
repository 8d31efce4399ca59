import type { Target } from '../target';
import type { Clients } from './stage';

interface Closable {
  destroy(): void;
}

/** Clients of one target, with the means to close them. An SDK is loaded when its client is first used. */
export interface OpenClients extends Clients {
  close(): void;
}

export function clientsFor(target: Pick<Target, 'clientConfig'>): OpenClients {
  const made = new Map<string, Closable>();
  const once = <T extends Closable>(name: string, make: () => T): T => {
    const client = (made.get(name) as T | undefined) ?? make();
    made.set(name, client);
    return client;
  };
  const config = () => target.clientConfig();
  return {
    get cloudformation() {
      const sdk = require('@aws-sdk/client-cloudformation') as typeof import('@aws-sdk/client-cloudformation');
      return once('cloudformation', () => new sdk.CloudFormationClient(config()));
    },
    get dynamodb() {
      const sdk = require('@aws-sdk/client-dynamodb') as typeof import('@aws-sdk/client-dynamodb');
      return once('dynamodb', () => new sdk.DynamoDBClient(config()));
    },
    get eventbridge() {
      const sdk = require('@aws-sdk/client-eventbridge') as typeof import('@aws-sdk/client-eventbridge');
      return once('eventbridge', () => new sdk.EventBridgeClient(config()));
    },
    get lambda() {
      const sdk = require('@aws-sdk/client-lambda') as typeof import('@aws-sdk/client-lambda');
      return once('lambda', () => new sdk.LambdaClient(config()));
    },
    get s3() {
      const sdk = require('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');
      return once('s3', () => new sdk.S3Client(config()));
    },
    get sfn() {
      const sdk = require('@aws-sdk/client-sfn') as typeof import('@aws-sdk/client-sfn');
      return once('sfn', () => new sdk.SFNClient(config()));
    },
    get sqs() {
      const sdk = require('@aws-sdk/client-sqs') as typeof import('@aws-sdk/client-sqs');
      return once('sqs', () => new sdk.SQSClient(config()));
    },
    close() {
      for (const client of made.values()) client.destroy();
    },
  };
}
