import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AnyEvent } from '../contract';
import { type Access, orderKey } from '../module';

const unique = (values: readonly string[]): string[] => [...new Set(values)].sort();

/** Sending exactly these facts; nothing at all when there are none. */
export function mayEmit(bus: EventBus, emits: readonly AnyEvent[]): PolicyStatement[] {
  if (emits.length === 0) return [];
  return [
    new PolicyStatement({
      sid: 'EmitDeclaredEvents',
      actions: ['events:PutEvents'],
      resources: [bus.eventBusArn],
      conditions: {
        StringEquals: { 'events:detail-type': unique(emits.map(({ type }) => type)) },
        // `events:source` is a key of many values, and ForAllValues also holds when there are none: hence Null.
        'ForAllValues:StringEquals': { 'events:source': unique(emits.map(({ source }) => source)) },
        Null: { 'events:source': 'false' },
      },
    }),
  ];
}

/** Reading and writing the ledger items of this consumer alone, and the order of its events if it keeps one. */
export function mayKeepLedger(table: Table, consumer: string, ordered: boolean): PolicyStatement {
  const keys = [`${consumer}#*`, ...(ordered ? [orderKey(consumer, '*')] : [])];
  return new PolicyStatement({
    sid: 'KeepOwnLedger',
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });
}

/** Objects of one store. Listing tells a missing object from a forbidden one. Nobody may delete. */
export function mayUseStore(bucket: Bucket, access: Access): PolicyStatement[] {
  const actions = access === 'write' ? ['s3:GetObject', 's3:PutObject'] : ['s3:GetObject'];
  return [
    new PolicyStatement({ actions, resources: [bucket.arnForObjects('*')] }),
    new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
  ];
}

/** Writing objects under one prefix of a bucket, and nothing else: not even reading them back. */
export function mayWriteOnly(bucket: Bucket, prefix: string): PolicyStatement {
  return new PolicyStatement({
    sid: 'WriteOnly',
    actions: ['s3:PutObject'],
    resources: [bucket.arnForObjects(`${prefix}*`)],
  });
}

/** Taking messages from a queue, without putting them off: what isn't deleted comes back by itself. */
export function mayTake(queue: IQueue): PolicyStatement {
  return new PolicyStatement({
    sid: 'TakeFromOwnQueue',
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [queue.queueArn],
  });
}

/** Taking messages from a queue, putting them off, and parking them in its dead letter queue. */
export function mayConsume(queue: IQueue, deadLetterQueue: IQueue): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'ConsumeOwnQueue',
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ChangeMessageVisibility'],
      resources: [queue.queueArn],
    }),
    new PolicyStatement({
      sid: 'ParkDeadLetters',
      actions: ['sqs:SendMessage'],
      resources: [deadLetterQueue.queueArn],
    }),
  ];
}

/** Writing to one log group, which the stack has made: creating groups is not needed. */
export function mayLog(logGroup: ILogGroup): PolicyStatement {
  return new PolicyStatement({
    sid: 'WriteOwnLog',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  });
}
