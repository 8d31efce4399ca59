import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Sequence } from '../contract';
import { orderKey } from '../module';
import { KEEP_SECONDS } from './ledger';
import { platform } from './platform';
import { insist } from './transient';

/** Who wants to be handled when. */
export interface Turn {
  readonly consumer: string;
  readonly sequence: Sequence;
  /** The work that takes the turn: it may take it again after a crash. */
  readonly workId: string;
}

export type Entered =
  /** It is this event's turn, and nobody else's until it leaves. */
  | { readonly state: 'entered' }
  /** A later event of the scope has been handled, or this very one. */
  | { readonly state: 'passed' }
  | Waits;

/** Not its turn. */
export interface Waits {
  /** `early`: one before it has not been handled yet. `busy`: another event of the scope is being handled. */
  readonly state: 'early' | 'busy';
  /** Events before it that are still to be handled; 0 when it is the next. */
  readonly before: number;
  /** When the scope last went on, milliseconds since the epoch; 0 when it never did. */
  readonly movedAt: number;
}

/** How long a turn that ran out is left to its event, milliseconds; then that is lost, or parked. */
const LEFT_ALONE_MS = 3600_000;

/**
 * Lets the events of one scope through one at a time and in order. One DynamoDB item for each (consumer, scope) beside
 * the ledger's: the last event handled, and who is at it now.
 *
 * Not a FIFO queue: a rule can only give all its events one fixed group id, which would handle them one by one; and a
 * queue keeps the order of arrival, which over a bus is not that of the facts.
 */
export class Order {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Asks for the turn, for at most `ms` milliseconds. A turn that ran out is left to its own event, which comes back: it
   * may have been handled, or still be, and where places only rise nothing else keeps another from going before it.
   */
  async enter(turn: Turn, ms: number): Promise<Entered> {
    const now = platform().now();
    const due = dueOf(turn.sequence);
    const over = typeof turn.sequence.value === 'string' ? now - LEFT_ALONE_MS : now;
    const entered = await this.#update(turn, {
      UpdateExpression: 'SET holder = :me, lease_until = :until',
      ConditionExpression: `(${due.condition}) AND (attribute_not_exists(holder) OR holder = :me OR lease_until < :over)`,
      ExpressionAttributeNames: { '#last': 'last' },
      ExpressionAttributeValues: {
        ...due.values,
        ':me': { S: turn.workId },
        ':until': { N: String(now + ms) },
        ':over': { N: String(over) },
      },
    });
    if (entered) return { state: 'entered' };
    return this.#standing(turn);
  }

  /**
   * Notes that the event was handled: it is the next one's turn. Repeating it does nothing.
   *
   * @returns false when it was not this event's turn
   */
  async advance(turn: Turn): Promise<boolean> {
    const { value } = turn.sequence;
    const due = dueOf(turn.sequence);
    const expires = Math.floor(platform().now() / 1000) + KEEP_SECONDS;
    return this.#update(turn, {
      // A count must never be forgotten; of what only rises, duplicates are refused by their age in the end.
      UpdateExpression: `SET #last = :value, moved_at = :now${typeof value === 'string' ? ', expires_at = :expires' : ''} REMOVE holder, lease_until`,
      ConditionExpression: due.condition,
      ExpressionAttributeNames: { '#last': 'last' },
      ExpressionAttributeValues: {
        ...due.values,
        ':value': attribute(value),
        ':now': { N: String(platform().now()) },
        ...(typeof value === 'string' && { ':expires': { N: String(expires) } }),
      },
    });
  }

  /** Gives the turn back without having handled the event. */
  async leave(turn: Turn): Promise<void> {
    await this.#update(turn, {
      UpdateExpression: 'REMOVE holder, lease_until',
      ConditionExpression: 'holder = :me',
      ExpressionAttributeValues: { ':me': { S: turn.workId } },
    });
  }

  async #standing(turn: Turn): Promise<Entered> {
    const { value } = turn.sequence;
    const key = { pk: { S: keyOf(turn) } };
    const { Item = {} } = await this.#client.send(
      new GetItemCommand({ TableName: this.#table, Key: key, ConsistentRead: true }),
    );
    const movedAt = Number(Item.moved_at?.N ?? 0);
    if (typeof value === 'string') {
      const passed = Item.last?.S !== undefined && Item.last.S >= value;
      return passed ? { state: 'passed' } : { state: 'busy', before: 0, movedAt };
    }
    const before = value - 1 - Number(Item.last?.N ?? 0);
    if (before < 0) return { state: 'passed' };
    return { state: before > 0 ? 'early' : 'busy', before, movedAt };
  }

  /** @returns false when the condition does not hold */
  async #update(turn: Turn, input: Partial<UpdateItemCommandInput>): Promise<boolean> {
    const command = { TableName: this.#table, Key: { pk: { S: keyOf(turn) } }, ...input };
    try {
      await insist(() => this.#client.send(new UpdateItemCommand(command)));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}

const keyOf = ({ consumer, sequence }: Turn) => orderKey(consumer, sequence.scope);

const attribute = (value: number | string): AttributeValue =>
  typeof value === 'string' ? { S: value } : { N: String(value) };

/** When it is an event's turn. */
function dueOf({ value }: Sequence): { condition: string; values: Record<string, AttributeValue> } {
  if (typeof value === 'string') {
    return { condition: 'attribute_not_exists(#last) OR #last < :this', values: { ':this': { S: value } } };
  }
  if (value === 1) return { condition: 'attribute_not_exists(#last)', values: {} };
  return { condition: '#last = :before', values: { ':before': { N: String(value - 1) } } };
}
