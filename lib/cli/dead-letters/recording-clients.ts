import { ConditionalCheckFailedException, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import type { ClientName } from '../../runtime/platform';
import type { Clients } from '../stage';

/** Something that would have been changed on the target. */
export interface Effect {
  readonly service: ClientName;
  /** Name of the call: `PutObject`. */
  readonly call: string;
  /** What it would have touched: `s3://bucket/key`, a ledger key, a queue. */
  readonly on: string;
  readonly input: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface Command {
  readonly input: Fields;
}

interface Client {
  send(command: Command): Promise<unknown>;
}

/** Calls that change nothing. */
const READS = /^(Get|Head|List|Describe|Query|Scan|BatchGet|Select)/;

/** Clients that read from the target, and write nowhere: what they are asked to change is noted in `effects`. */
export class RecordingClients {
  public readonly effects: Effect[] = [];
  public readonly clients: Readonly<Record<ClientName, Client>>;
  /** Objects as they would be by now, by `bucket/key`. */
  readonly #objects = new Map<string, Fields>();
  readonly #real: Readonly<Record<ClientName, Client>>;

  constructor(real: Pick<Clients, ClientName>) {
    this.#real = real as unknown as Record<ClientName, Client>;
    this.clients = {
      dynamodb: this.#client('dynamodb', (input) => this.#updateItem(input)),
      eventbridge: this.#client('eventbridge', async ({ Entries = [] }) => ({
        FailedEntryCount: 0,
        Entries: (Entries as readonly unknown[]).map((_, i) => ({ EventId: `dry-run-${i}` })),
      })),
      s3: this.#client('s3', (input, call) => this.#writeObject(input, call)),
      sfn: this.#client('sfn', async () => ({ executionArn: 'dry-run', startDate: new Date() })),
      sqs: this.#client('sqs', async () => ({ Successful: [], Failed: [] })),
    };
  }

  #client(service: ClientName, write: (input: Fields, call: string) => Promise<unknown>): Client {
    return {
      send: async (command) => {
        const call = command.constructor.name.replace(/Command$/, '');
        const { input } = command;
        if (READS.test(call)) return this.#written(service, call, input) ?? this.#real[service].send(command);
        const answer = await write(input, call);
        this.effects.push({ service, call, on: touched(input), input });
        return answer;
      },
    };
  }

  /** An object that this run has written before it reads it. */
  #written(service: ClientName, call: string, input: Fields): Fields | undefined {
    if (service !== 's3' || !['GetObject', 'HeadObject'].includes(call)) return undefined;
    const found = this.#objects.get(`${input.Bucket}/${input.Key}`);
    if (!found) return undefined;
    const bytes = Buffer.from(found.Body as Uint8Array);
    const Body = {
      transformToByteArray: async () => new Uint8Array(bytes),
      transformToString: async () => bytes.toString('utf8'),
    };
    return { Body, ETag: found.ETag, ContentLength: bytes.byteLength, Metadata: found.Metadata };
  }

  async #writeObject(input: Fields, call: string): Promise<unknown> {
    const id = `${input.Bucket}/${input.Key}`;
    if (call !== 'PutObject') return {};
    await this.#refuseChanged(id, input);
    const ETag = `"dry-run-${this.effects.length}"`;
    this.#objects.set(id, { ...input, ETag });
    return { ETag };
  }

  /** A write on a condition fails as it would. */
  async #refuseChanged(id: string, { Bucket, Key, IfMatch, IfNoneMatch }: Fields): Promise<void> {
    if (IfMatch === undefined && IfNoneMatch === undefined) return;
    const etag = this.#objects.get(id)?.ETag ?? (await this.#etagOf(String(Bucket), String(Key)));
    if (IfNoneMatch === undefined ? etag === IfMatch : etag === undefined) return;
    throw Object.assign(new Error('At least one of the pre-conditions you specified did not hold'), {
      name: 'PreconditionFailed',
      $metadata: { httpStatusCode: 412 },
    });
  }

  async #etagOf(Bucket: string, Key: string): Promise<unknown> {
    try {
      const command = new HeadObjectCommand({ Bucket, Key }) as unknown as Command;
      return ((await this.#real.s3.send(command)) as Fields).ETag;
    } catch (error) {
      if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404) return undefined;
      throw error;
    }
  }

  /** The lease is to be had, as it would be for the letter, unless the ledger knows the work as done. */
  async #updateItem(input: Fields): Promise<unknown> {
    const { TableName, Key, ConditionExpression = '' } = input;
    if (!String(ConditionExpression).startsWith('attribute_not_exists(pk)')) return {};
    const item = await this.itemOf(String(TableName), (Key as { pk: { S: string } }).pk.S);
    if (item.status?.S === 'done') throw new ConditionalCheckFailedException({ message: 'done before', $metadata: {} });
    const fence = Number(item.fence?.N ?? 0) + 1;
    return { Attributes: { ...item, fence: { N: String(fence) }, attempts: { N: '1' } } };
  }

  /** An item of the ledger as it is. */
  async itemOf(table: string, key: string): Promise<Readonly<Record<string, { S?: string; N?: string }>>> {
    const command = new GetItemCommand({ TableName: table, Key: { pk: { S: key } }, ConsistentRead: true });
    const { Item = {} } = (await this.#real.dynamodb.send(command as unknown as Command)) as {
      Item?: Record<string, { S?: string; N?: string }>;
    };
    return Item;
  }
}

function touched(input: Fields): string {
  if (input.Bucket !== undefined) return `s3://${input.Bucket}/${input.Key ?? ''}`;
  const key = (input.Key as { pk?: { S?: string } } | undefined)?.pk?.S;
  return String(key ?? input.stateMachineArn ?? input.QueueUrl ?? input.TableName ?? busOf(input) ?? '');
}

const busOf = ({ Entries }: Fields) =>
  (Entries as readonly { EventBusName?: string }[] | undefined)?.map(({ EventBusName }) => EventBusName)[0];
