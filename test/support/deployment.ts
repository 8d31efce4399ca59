import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand, type PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { Envelope } from '../../lib/contract';
import { ENV } from '../../lib/module';
import { startClock } from './clock';
import { MemoryBucket } from './memory-store';
import { MemoryTable } from './memory-table';

const SETTINGS = {
  [ENV.bus]: 'bus',
  [ENV.ledger]: 'ledger',
  [ENV.queueUrl]: 'https://sqs/queue',
  [ENV.deadLetterQueueUrl]: 'https://sqs/dead-letters',
  [ENV.stateMachineArn]: 'arn:aws:states:eu-west-1:111122223333:stateMachine:machine',
  [ENV.codeVersion]: 'v7',
  [ENV.store('essays')]: 'essays-bucket',
  [ENV.store('runs')]: 'runs-bucket',
};

const accepted = ({ Entries = [] }: PutEventsCommandInput) => ({ Entries: Entries.map(() => ({ EventId: 'x' })) });

/** All that a function sees of AWS, in memory: its settings, the ledger, the bus, its queues, one bucket. */
export class Deployment {
  readonly table = new MemoryTable();
  readonly bus = mockClient(EventBridgeClient);
  readonly queues = mockClient(SQSClient);
  readonly states = mockClient(SFNClient);
  readonly s3 = mockClient(S3Client);
  readonly bucket = new MemoryBucket();
  private readonly clock = startClock();

  constructor() {
    Object.assign(process.env, SETTINGS);
    this.bus.on(PutEventsCommand).callsFake(accepted);
    this.queues.on(SendMessageCommand).resolves({});
    this.queues.on(ChangeMessageVisibilityCommand).resolves({});
    this.queues.on(ChangeMessageVisibilityBatchCommand).resolves({});
    this.queues.on(DeleteMessageCommand).resolves({});
    this.s3.on(GetObjectCommand).callsFake((input) => this.bucket.send(new GetObjectCommand(input)));
    this.s3.on(PutObjectCommand).callsFake((input) => this.bucket.send(new PutObjectCommand(input)));
    this.s3.on(ListObjectsV2Command).callsFake((input) => this.bucket.send(new ListObjectsV2Command(input)));
  }

  /** Every envelope the bus was given, in order, repeats included. */
  get published(): Envelope[] {
    const entries = this.bus.commandCalls(PutEventsCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
    return entries.map(({ Detail }) => JSON.parse(Detail ?? '') as Envelope);
  }

  /** The letters in the dead letter queue: body, and attributes by name. */
  get letters() {
    return this.queues.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => ({
      queue: input.QueueUrl,
      body: input.MessageBody,
      attributes: Object.fromEntries(
        Object.entries(input.MessageAttributes ?? {}).map(([name, { StringValue }]) => [name, StringValue]),
      ),
    }));
  }

  /** What was made invisible for how long: receipt handle and seconds. */
  get delays() {
    return this.queues
      .commandCalls(ChangeMessageVisibilityCommand)
      .map(({ args: [{ input }] }) => [input.ReceiptHandle, input.VisibilityTimeout]);
  }

  /** Receipt handles of the messages that were deleted before the function answered. */
  get deleted() {
    return this.queues.commandCalls(DeleteMessageCommand).map(({ args: [{ input }] }) => input.ReceiptHandle);
  }

  /** Makes the ledger unreachable for the work of that key. */
  failLedgerFor(key: string): void {
    this.table.calls.on(UpdateItemCommand, { Key: { pk: { S: key } } }).rejects(new Error('table out of reach'));
  }

  /** Makes the bus refuse the next request as a whole. */
  failBusOnce(): void {
    const denied = Object.assign(new Error('bus out of reach'), { $metadata: { httpStatusCode: 400 } });
    this.bus.on(PutEventsCommand).rejectsOnce(denied).callsFake(accepted);
  }

  end(): void {
    for (const mock of [this.table.calls, this.bus, this.queues, this.states, this.s3]) mock.restore();
    this.clock.mockRestore();
    for (const name of Object.keys(SETTINGS)) delete process.env[name];
  }
}
