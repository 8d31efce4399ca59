import { GetItemCommand, UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand, type PutEventsCommandInput } from '@aws-sdk/client-eventbridge';
import {
  GetObjectCommand,
  type GetObjectCommandInput,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { ExecutionAlreadyExists, StartExecutionCommand, type StartExecutionCommandInput } from '@aws-sdk/client-sfn';
import {
  ChangeMessageVisibilityBatchCommand,
  type ChangeMessageVisibilityBatchCommandInput,
  ChangeMessageVisibilityCommand,
  type ChangeMessageVisibilityCommandInput,
  DeleteMessageCommand,
  type DeleteMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
} from '@aws-sdk/client-sqs';
import { type Envelope, HeadraceError } from '../contract';
import { accept, workIdOf } from './bus';
import { toldBy } from './letter-judge';
import type { BusEvent, Inbox, World } from './world';

/** A call of a service. */
export interface Call {
  /** `DynamoDB UpdateItem` */
  readonly name: string;
  /** What it is about: with the name, it tells one call from another. */
  readonly key: string;
  /**
   * Takes effect.
   *
   * @param refused - whether an entry of a request of several is refused
   */
  apply(refused?: (index: number) => boolean): unknown;
}

interface Caller {
  readonly who: string;
  readonly world: World;
}

type Make = (input: object, caller: Caller) => Omit<Call, 'name'>;

/** Bytes of an event that hold its id. */
const HEAD = 80;

const updateItem: Make = (input, { who, world: { table, monitor } }) => {
  const update = input as UpdateItemCommandInput;
  const key = update.Key?.pk?.S ?? '';
  const outbox = update.ExpressionAttributeValues?.[':outbox']?.S;
  if (outbox !== undefined) monitor.offered(key, JSON.parse(outbox) as Envelope[]);
  return {
    key,
    apply() {
      const before = table.items.get(key) ?? {};
      const result = table.update(update);
      monitor.updated(who, before, result.Attributes);
      return result;
    },
  };
};

const putEvents: Make = (input, { who, world }) => {
  const { Entries = [] } = input as PutEventsCommandInput;
  return {
    key: Entries[0]?.Detail?.slice(0, HEAD) ?? '',
    apply(refused = () => false) {
      const answers = Entries.map((entry, i) => {
        if (refused(i)) return { ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' };
        accept(world, who, entry);
        return { EventId: String(i) };
      });
      return { FailedEntryCount: answers.filter(({ ErrorCode }) => ErrorCode).length, Entries: answers };
    },
  };
};

/** Queues have the URL `queue:<module>`, their dead letter queues `letters:<module>`. */
function inboxOf({ world }: Caller, url = ''): Inbox {
  const inbox = world.inboxes.get(url.slice(url.indexOf(':') + 1));
  if (inbox) return inbox;
  throw Object.assign(new Error(`no queue ${url}`), { name: 'QueueDoesNotExist', $metadata: { httpStatusCode: 400 } });
}

const sendMessage: Make = (input, caller) => {
  const { QueueUrl, MessageBody = '', MessageAttributes = {} } = input as SendMessageCommandInput;
  const { module, queue } = inboxOf(caller, QueueUrl);
  return {
    key: MessageBody.slice(0, HEAD),
    apply() {
      const { monitor } = caller.world;
      const workId = workIdOf(JSON.parse(MessageBody) as BusEvent);
      const record = monitor.recordOf(module.name, workId);
      queue.parked.push({ body: MessageBody, workId, attributes: MessageAttributes });
      if (record) monitor.parked(caller.who, record, toldBy(MessageAttributes));
      return { MessageId: '1' };
    },
  };
};

function changeVisibility(caller: Caller, queueUrl: string | undefined, entry: { receipt: string; seconds: number }) {
  const { queue } = inboxOf(caller, queueUrl);
  const message = queue.holding(entry.receipt);
  // Of a message that came back meanwhile, an old receipt moves nothing.
  if (message) queue.hide(message, entry.seconds);
}

const S3_GET: Make = (input, { world }) => {
  const { Bucket = '', Key = '' } = input as GetObjectCommandInput;
  return { key: `${Bucket}/${Key}`, apply: () => world.bucket(Bucket).get(Key) };
};

const startExecution: Make = (input, { who, world }) => {
  const { stateMachineArn = '', name = '', input: text = '{}' } = input as StartExecutionCommandInput;
  return {
    key: name,
    apply() {
      const key = `${stateMachineArn}/${name}`;
      if (world.runs.has(key)) throw new ExecutionAlreadyExists({ message: 'Execution Already Exists', $metadata: {} });
      world.runs.set(key, { workflow: stateMachineArn, name, input: JSON.parse(text) });
      world.tell(who, `starts the run ${name}`);
      return { executionArn: key };
    },
  };
};

type Command = new (input: never) => { readonly input: object };

const CALLS = new Map<unknown, readonly [name: string, make: Make]>([
  [UpdateItemCommand as Command, ['DynamoDB UpdateItem', updateItem]],
  [
    GetItemCommand,
    [
      'DynamoDB GetItem',
      (input, { world: { table } }) => {
        const { Key = {} } = input as Parameters<World['table']['get']>[0];
        return { key: Key.pk?.S ?? '', apply: () => table.get({ Key }) };
      },
    ],
  ],
  [PutEventsCommand, ['EventBridge PutEvents', putEvents]],
  [SendMessageCommand, ['SQS SendMessage', sendMessage]],
  [
    DeleteMessageCommand,
    [
      'SQS DeleteMessage',
      (input, caller) => {
        const { QueueUrl, ReceiptHandle = '' } = input as DeleteMessageCommandInput;
        return { key: ReceiptHandle, apply: () => inboxOf(caller, QueueUrl).queue.delete(ReceiptHandle) ?? {} };
      },
    ],
  ],
  [
    ChangeMessageVisibilityCommand,
    [
      'SQS ChangeMessageVisibility',
      (input, caller) => {
        const { QueueUrl, ReceiptHandle = '', VisibilityTimeout = 0 } = input as ChangeMessageVisibilityCommandInput;
        const entry = { receipt: ReceiptHandle, seconds: VisibilityTimeout };
        return { key: ReceiptHandle, apply: () => changeVisibility(caller, QueueUrl, entry) ?? {} };
      },
    ],
  ],
  [
    ChangeMessageVisibilityBatchCommand,
    [
      'SQS ChangeMessageVisibilityBatch',
      (input, caller) => {
        const { QueueUrl, Entries = [] } = input as ChangeMessageVisibilityBatchCommandInput;
        return {
          key: Entries[0]?.ReceiptHandle ?? '',
          apply() {
            for (const { ReceiptHandle: receipt = '', VisibilityTimeout: seconds = 0 } of Entries) {
              changeVisibility(caller, QueueUrl, { receipt, seconds });
            }
            return {};
          },
        };
      },
    ],
  ],
  [GetObjectCommand, ['S3 GetObject', S3_GET]],
  [
    HeadObjectCommand,
    [
      'S3 HeadObject',
      (input, { world }) => {
        const { Bucket = '', Key = '' } = input as GetObjectCommandInput;
        return { key: `${Bucket}/${Key}`, apply: () => world.bucket(Bucket).head(Key) };
      },
    ],
  ],
  [
    PutObjectCommand,
    [
      'S3 PutObject',
      (input, { world }) => {
        const put = input as PutObjectCommandInput;
        return { key: `${put.Bucket}/${put.Key}`, apply: () => world.bucket(put.Bucket ?? '').put(put) };
      },
    ],
  ],
  [
    ListObjectsV2Command,
    [
      'S3 ListObjectsV2',
      (input, { world }) => {
        const { Bucket = '', Prefix, ContinuationToken } = input as ListObjectsV2CommandInput;
        return { key: `${Bucket}/${Prefix}`, apply: () => world.bucket(Bucket).list(Prefix, ContinuationToken) };
      },
    ],
  ],
  [StartExecutionCommand, ['StepFunctions StartExecution', startExecution]],
]);

/** What a command does here. @throws HeadraceError HR703 for one that no service of the simulator knows */
export function callOf(command: { readonly input: object }, caller: Caller): Call {
  const found = CALLS.get(command.constructor);
  if (!found) {
    throw new HeadraceError('HR703', {
      what: 'The simulator does not know this command.',
      got: command.constructor.name,
      allowed: [...CALLS.values()].map(([name]) => name).join(', '),
      next: 'Give the logic what it needs through its stores and `once`, or replace the client of that service in the test.',
    });
  }
  const [name, make] = found;
  return { name, ...make(command.input, caller) };
}
