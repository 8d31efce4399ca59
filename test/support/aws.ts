import type { Context as LambdaContext, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Draft, toEnvelope } from '../../lib/contract';
import { NOW } from './clock';

/** A fact as EventBridge delivers it to a queue. */
export function busEvent(draft: Draft, options: Partial<Parameters<typeof toEnvelope>[1]> = {}) {
  const envelope = toEnvelope(draft, { id: 'event-1', time: NOW, ...options });
  return {
    id: 'bus-1',
    source: envelope.source,
    'detail-type': envelope.type,
    time: envelope.time,
    detail: envelope as Record<string, unknown>,
  };
}

/** "Object Created" as S3 sends it to the default bus. */
export function objectCreatedEvent(key: string, bucket = 'datasets') {
  return {
    id: 'bus-1',
    source: 'aws.s3',
    'detail-type': 'Object Created',
    time: NOW.toISOString(),
    detail: {
      version: '0',
      bucket: { name: bucket },
      object: { key, size: 12, etag: 'e1', sequencer: '0A' },
      reason: 'PutObject',
    },
  };
}

/** A message of a queue; a body that is no string is written as JSON. */
export function sqsRecord(body: unknown, overrides: Partial<SQSRecord> = {}): SQSRecord {
  const messageId = overrides.messageId ?? 'message-1';
  return {
    messageId,
    receiptHandle: `receipt-of-${messageId}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: String(NOW.getTime()),
      SenderId: 'events.amazonaws.com',
      ApproximateFirstReceiveTimestamp: String(NOW.getTime()),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-west-1:111122223333:queue',
    awsRegion: 'eu-west-1',
    ...overrides,
  };
}

export const sqsEvent = (...records: readonly SQSRecord[]): SQSEvent => ({ Records: [...records] });

/** An invocation with a minute left. */
export function lambdaContext(overrides: Partial<LambdaContext> = {}): LambdaContext {
  return {
    functionName: 'function',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:function',
    memoryLimitInMB: '512',
    awsRequestId: 'request-1',
    logGroupName: '/aws/lambda/function',
    logStreamName: '1',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => 60_000,
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
    ...overrides,
  };
}
