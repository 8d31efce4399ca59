import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { type Envelope, HeadraceError, LIMITS } from '../contract';
import type { Acquired, AcquireOptions, CommitOptions, Lease } from './lease';
import { platform } from './platform';
import { insist } from './transient';

/** How long a record is kept, seconds: longer than any event may wait in a queue, a dead letter queue or a replay. */
export const KEEP_SECONDS = LIMITS.ledgerDays.value * 24 * 3600;

/** Largest outbox we store, bytes: the item holds the results of `once` too. */
const MAX_OUTBOX_BYTES = LIMITS.itemBytes.value - 50 * 1024;

/** Largest results of `once` calls, bytes, all names of one event together. */
const MAX_ONCE_BYTES = 40 * 1024;

/** The lease has run out. */
const OVER = 'lease_until < :now';

/** When a lease counts as free: a released one ends at 0. */
function freeOf({ takeOver, leaveAbandoned }: AcquireOptions): string {
  if (takeOver) return 'fence > :zero';
  return leaveAbandoned ? 'lease_until = :zero' : OVER;
}

const onceOf = (item: Record<string, AttributeValue>) => JSON.parse(item.once?.S ?? '{}') as Record<string, unknown>;

const leaseOf = (key: string, item: Record<string, AttributeValue>, inCompany: boolean): Lease => ({
  key,
  fence: Number(item.fence?.N),
  attempts: Number(item.attempts?.N) + (inCompany ? 1 : 0),
  once: onceOf(item),
});

/** How work stands that is not to be had at `now`. */
function standing(item: Record<string, AttributeValue>, now: number, leaveAbandoned = false): Acquired {
  if (item.status?.S === 'done') {
    return {
      state: 'done',
      done: {
        outbox: JSON.parse(item.outbox?.S ?? '[]') as Envelope[],
        sent: item.sent?.BOOL === true,
        result: JSON.parse(item.result?.S ?? 'null'),
      },
    };
  }
  const until = Number(item.lease_until?.N ?? now);
  if (leaveAbandoned && until > 0 && until < now)
    return { state: 'abandoned', attempts: Number(item.attempts?.N ?? 0) };
  return { state: 'busy', retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)) };
}

/** Whether another worker took the work over. */
export const isLostLease = (error: unknown): boolean => error instanceof HeadraceError && error.code === 'HR305';

/**
 * Makes effects single over at-least-once delivery. One DynamoDB item for each (consumer, work id):
 * `leased` with a fencing token while somebody works, `done` together with the outbox in one write.
 * A crash leaves a lease that runs out and is taken over; the late first worker is fenced off.
 */
export class Ledger {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Takes the right to work, if nobody finished the work and no lease is running.
   *
   * @param options.takeOver - take a running lease too. For callers who know that the earlier worker is gone, such as
   * the retry of a state; should it still live, the fencing token keeps it from committing.
   * @param options.leaveAbandoned - don't take what a worker died over, perhaps because of it.
   */
  async acquire(consumer: string, workId: string, options: AcquireOptions): Promise<Acquired> {
    const { leaseMs, inCompany = false } = options;
    const free = freeOf(options);
    const key = `${consumer}#${workId}`;
    const now = platform().now();
    const holder = platform().uuid();
    try {
      const { Attributes } = await this.#update(key, {
        UpdateExpression: `SET #s = :leased, fence = if_not_exists(fence, :zero) + :one, attempts = if_not_exists(attempts, :zero)${inCompany ? '' : ' + :one'}, lease_until = :until, holder = :holder, expires_at = :expires REMOVE parked_at`,
        ConditionExpression: `attribute_not_exists(pk) OR (#s = :leased AND ${free})`,
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: {
          ':leased': { S: 'leased' },
          ':zero': { N: '0' },
          ':one': { N: '1' },
          ...(free === OVER && { ':now': { N: String(now) } }),
          ':until': { N: String(now + leaseMs) },
          ':holder': { S: holder },
          ':expires': { N: String(Math.floor(Math.max(now, options.bornAt ?? 0) / 1000) + KEEP_SECONDS) },
        },
        ReturnValues: 'ALL_NEW',
      });
      return { state: 'acquired', lease: leaseOf(key, Attributes ?? {}, inCompany) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const item = await this.#read(key);
      // The answer to our own write got lost, and what failed was its repetition.
      const ours = item.status?.S === 'leased' && item.holder?.S === holder;
      return ours
        ? { state: 'acquired', lease: leaseOf(key, item, inCompany) }
        : standing(item, now, options.leaveAbandoned);
    }
  }

  /**
   * Marks the work done and stores its outbox, in one write.
   *
   * @throws HeadraceError HR305 when another worker took over: nothing of this attempt may be published
   */
  async commit(lease: Lease, outbox: readonly Envelope[], options: CommitOptions = {}): Promise<void> {
    const { result, fenced } = options;
    const text = JSON.stringify(outbox);
    if (Buffer.byteLength(text) > MAX_OUTBOX_BYTES) {
      throw new HeadraceError('HR104', {
        what: 'The events emitted for one event are too large together.',
        got: `${Buffer.byteLength(text)} bytes`,
        allowed: `up to ${MAX_OUTBOX_BYTES} bytes`,
        next: 'Put the data in a store and send references.',
      });
    }
    const fence = fenced === undefined ? '' : ', fenced = :fenced';
    const update = {
      UpdateExpression: `SET #s = :done, outbox = :outbox, #r = :result, sent = :sent, attempts = :attempts, done_at = :now${fence} REMOVE lease_until`,
      ExpressionAttributeNames: { '#s': 'status', '#r': 'result' },
      ExpressionAttributeValues: {
        ':done': { S: 'done' },
        ':outbox': { S: text },
        ':result': { S: JSON.stringify(result ?? null) },
        ':attempts': { N: String(lease.attempts) },
        ':sent': { BOOL: outbox.length === 0 },
        ':now': { N: String(platform().now()) },
        ...(fenced !== undefined && { ':fenced': { S: fenced } }),
      },
    };
    await this.#fenced(lease, update).catch(async (error: unknown) => {
      // The answer to our own commit may have got lost, and what failed was its repetition.
      const item = isLostLease(error) ? await this.#read(lease.key) : {};
      if (item.status?.S !== 'done' || item.fence?.N !== String(lease.fence)) throw error;
    });
  }

  /** Notes that the outbox reached the bus, so that a duplicate delivery does not send it again. */
  async markSent(consumer: string, workId: string): Promise<void> {
    await this.#update(`${consumer}#${workId}`, {
      UpdateExpression: 'SET sent = :yes',
      ExpressionAttributeValues: { ':yes': { BOOL: true } },
    });
  }

  /**
   * Gives the work back after a failure, so that the next attempt need not wait for the lease to run out.
   *
   * @param attempts - how many count from now on: fewer where the failure was not that of the work
   */
  async release(lease: Lease, attempts: number = lease.attempts): Promise<void> {
    await this.#fenced(lease, {
      UpdateExpression: 'SET lease_until = :zero, attempts = :attempts',
      ExpressionAttributeValues: { ':zero': { N: '0' }, ':attempts': { N: String(attempts) } },
    });
  }

  /** Gives the work up: it is parked, and begins anew should it come back. */
  async giveUp(lease: Lease): Promise<void> {
    await this.#fenced(lease, {
      UpdateExpression: 'SET lease_until = :zero, attempts = :zero, parked_at = :now',
      ExpressionAttributeValues: { ':zero': { N: '0' }, ':now': { N: String(platform().now()) } },
    });
  }

  /** Keeps the lease for so many milliseconds from now. @throws HeadraceError HR305 when another worker took over */
  async renew(lease: Lease, leaseMs: number): Promise<void> {
    await this.#fenced(lease, {
      UpdateExpression: 'SET lease_until = :until',
      ExpressionAttributeValues: { ':until': { N: String(platform().now() + leaseMs) } },
    });
  }

  /** Results of the `once` calls of finished work, by name. */
  async effectsOf(consumer: string, workId: string): Promise<Readonly<Record<string, unknown>>> {
    return onceOf(await this.#read(`${consumer}#${workId}`));
  }

  /** Keeps the results of finished `once` calls for later attempts. @throws HeadraceError HR330 when they are too large */
  async saveOnce(lease: Lease, once: Readonly<Record<string, unknown>>): Promise<void> {
    const text = JSON.stringify(once);
    if (Buffer.byteLength(text) > MAX_ONCE_BYTES) {
      throw new HeadraceError('HR330', {
        what: `The results of \`once\` are too large to be kept: ${Object.keys(once).join(', ')}.`,
        got: `${Buffer.byteLength(text)} bytes`,
        allowed: `up to ${MAX_ONCE_BYTES} bytes for all names together`,
        next: 'Return what identifies the result, and put the rest in a store.',
      });
    }
    await this.#fenced(lease, {
      UpdateExpression: 'SET #o = :once',
      ExpressionAttributeNames: { '#o': 'once' },
      ExpressionAttributeValues: { ':once': { S: text } },
    });
  }

  async #fenced(lease: Lease, update: Partial<UpdateItemCommandInput>): Promise<void> {
    try {
      await this.#update(lease.key, {
        ...update,
        ConditionExpression: '#status = :held AND fence = :fence',
        ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#status': 'status' },
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':held': { S: 'leased' },
          ':fence': { N: String(lease.fence) },
        },
      });
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      throw new HeadraceError('HR305', {
        what: 'Another worker took this work over while we were at it.',
        got: `fencing token ${lease.fence} of ${lease.key}`,
        next: 'Nothing to do: the other worker finishes it. If it happens often, raise timeoutSeconds.',
        cause: error,
      });
    }
  }

  async #read(key: string): Promise<Record<string, AttributeValue>> {
    const command = new GetItemCommand({ TableName: this.#table, Key: { pk: { S: key } }, ConsistentRead: true });
    const { Item = {} } = await insist(() => this.#client.send(command));
    return Item;
  }

  #update(key: string, input: Partial<UpdateItemCommandInput>) {
    const command = new UpdateItemCommand({ TableName: this.#table, Key: { pk: { S: key } }, ...input });
    return insist(() => this.#client.send(command));
  }
}
