import type { IncomingHttpHeaders } from 'node:http';

export interface RawRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Which AWS call a request is. */
export interface AwsCall {
  /** As in an endpoint's host name: `dynamodb`, `sqs`, `events`, `s3`, `states`, `lambda`. Empty when it cannot be told. */
  readonly service: string;
  /** `UpdateItem`, `SendMessage`, `PutEvents`; of S3 and other REST services the method: `PUT`. */
  readonly operation: string;
  readonly body: string;
}

const TARGETS: Readonly<Record<string, string>> = {
  DynamoDB: 'dynamodb',
  AmazonSQS: 'sqs',
  AWSEvents: 'events',
  AWSStepFunctions: 'states',
};

/**
 * Reads the call from what every SDK sends: the `X-Amz-Target` of the JSON services, the `Action` of the query services,
 * else the service in the credential scope and the method.
 */
export function readCall({ method, headers, body }: RawRequest): AwsCall {
  const text = body.toString('utf8');
  const [prefix = '', operation] = String(headers['x-amz-target'] ?? '').split('.');
  const scope = serviceInScope(headers.authorization);
  if (operation) return { service: TARGETS[prefix.split('_')[0] ?? ''] ?? scope, operation, body: text };
  const form = String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
  const action = form && new URLSearchParams(text).get('Action');
  if (action) return { service: scope, operation: action, body: text };
  return { service: scope, operation: method, body: text };
}

/** `.../20260101/us-east-1/dynamodb/aws4_request` -> `dynamodb` */
function serviceInScope(authorization = ''): string {
  return /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(authorization)?.[1] ?? '';
}
