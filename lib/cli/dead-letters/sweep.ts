import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { batchesOf } from './batches';
import type { DeadLetter } from './letter';
import { type HeldLetter, hold, keepHold, type Mailbox, release } from './mailbox';

/** Which letters of one mailbox are dealt with, and how fast. */
export interface SweepOptions {
  readonly sqs: SQSClient;
  readonly mailbox: Mailbox;
  /** @default - all */
  readonly wanted?: ((letter: DeadLetter) => boolean) | undefined;
  /** Letters that were there when it was decided: those that fail again meanwhile do not go in circles. */
  readonly atMost: number;
  /** Letters a second. @default - as fast as it goes */
  readonly rate?: number | undefined;
  /** Once it is aborted, the batch in hand is finished and nothing else begun. */
  readonly signal?: AbortSignal | undefined;
  readonly onDone?: ((done: number) => void) | undefined;
  /** @default - now */
  readonly now?: (() => Date) | undefined;
}

/**
 * Deals with up to ten letters, which are ours while it lasts.
 *
 * @param began ISO 8601
 * @returns those that are safe now, and may leave the dead letter queue
 */
export type Deal = (batch: readonly HeldLetter[], began: string) => Promise<readonly HeldLetter[]>;

export interface Swept {
  readonly module: string;
  /** Letters dealt with. */
  readonly done: number;
  /** Letters that could not be dealt with; they are still in the dead letter queue. */
  readonly refused: number;
  /** Letters dealt with and yet not deleted: to deal with them again does no harm. */
  readonly left: number;
  readonly interrupted: boolean;
  /** What ended it early; everything not dealt with is still there. */
  readonly failure?: unknown;
}

/** Letters held at once: they must all be done before the hold ends. */
const CHUNK = 100;
/** Rounds in which nothing new comes before we believe that nothing is left. */
const IDLE_ROUNDS = 3;

/**
 * Goes through the letters of a mailbox batch by batch. A letter is hidden from others while it is in hand, deleted only
 * when it is safe elsewhere, and given back whatever happens; should we be killed, it is back when its hold ends.
 */
export async function sweep(options: SweepOptions, deal: Deal): Promise<Swept> {
  const hands = new Hands(options, deal);
  let failure: unknown;
  try {
    await hands.work();
  } catch (error) {
    failure = error;
  } finally {
    await hands.giveBack();
  }
  const { done, refused, left } = hands;
  const interrupted = options.signal?.aborted === true;
  const { module } = options.mailbox;
  return { module, done, refused, left, interrupted, ...(failure !== undefined && { failure }) };
}

class Hands {
  public done = 0;
  public refused = 0;
  public left = 0;
  readonly #options: SweepOptions;
  readonly #deal: Deal;
  readonly #began: string;
  readonly #seen = new Set<string>();
  /** What we hold, by id. */
  readonly #held = new Map<string, HeldLetter>();

  constructor(options: SweepOptions, deal: Deal) {
    this.#options = options;
    this.#deal = deal;
    this.#began = (options.now?.() ?? new Date()).toISOString();
  }

  async work(): Promise<void> {
    for (let idle = 0; idle < IDLE_ROUNDS; ) {
      const held = await this.#take();
      if (held.length === 0) return;
      const fresh = this.#remember(held);
      idle = fresh.length === 0 ? idle + 1 : 0;
      await this.#finishAll(batchesOf(this.#chosen(fresh), batchSize(this.#options.rate)));
      if (this.#stopped) return;
    }
  }

  /** @returns those seen for the first time */
  #remember(held: readonly HeldLetter[]): HeldLetter[] {
    const fresh = held.filter(({ letter }) => !this.#seen.has(letter.id));
    for (const each of held) {
      this.#seen.add(each.letter.id);
      this.#held.set(each.letter.id, each);
    }
    return fresh;
  }

  async #finishAll(batches: readonly HeldLetter[][]): Promise<void> {
    for (const batch of batches) {
      if (this.#stopped) return;
      await this.#finish(batch);
    }
  }

  #take(): Promise<HeldLetter[]> {
    const { sqs, mailbox, atMost, rate } = this.#options;
    return hold(sqs, mailbox, Math.min(chunkSize(rate), atMost - this.#seen.size));
  }

  /** Those parked since we began have failed again. */
  #chosen(held: readonly HeldLetter[]): HeldLetter[] {
    const { wanted = () => true } = this.#options;
    return held.filter(({ letter }) => wanted(letter) && (letter.parkedAt ?? '') < this.#began);
  }

  get #stopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  async #finish(batch: readonly HeldLetter[]): Promise<void> {
    const { sqs, mailbox, rate, onDone, signal } = this.#options;
    const ours = await keepHold(sqs, mailbox, batch);
    for (const { letter } of batch) this.#held.delete(letter.id);
    for (const each of ours) this.#held.set(each.letter.id, each);
    if (ours.length === 0) return;
    const safe = await this.#deal(ours, this.#began);
    this.done += safe.length;
    const refused = ours.filter((each) => !safe.includes(each));
    this.refused += refused.length;
    await this.#remove(safe);
    await this.#return(refused);
    onDone?.(this.done);
    if (rate !== undefined) await sleep((ours.length / rate) * 1000, undefined, { signal }).catch(() => undefined);
  }

  async #remove(safe: readonly HeldLetter[]): Promise<void> {
    if (safe.length === 0) return;
    for (const { letter } of safe) this.#held.delete(letter.id);
    const { sqs, mailbox } = this.#options;
    const Entries = safe.map(({ message }, i) => ({ Id: String(i), ReceiptHandle: message.ReceiptHandle }));
    const command = new DeleteMessageBatchCommand({ QueueUrl: mailbox.deadLetterQueueUrl, Entries });
    try {
      this.left += (await sqs.send(command)).Failed?.length ?? 0;
    } catch (error) {
      this.left += safe.length;
      throw error;
    }
  }

  async #return(letters: readonly HeldLetter[]): Promise<void> {
    for (const { letter } of letters) this.#held.delete(letter.id);
    await release(this.#options.sqs, this.#options.mailbox, letters);
  }

  giveBack(): Promise<void> {
    return this.#return([...this.#held.values()]);
  }
}

/** A slow sweep holds fewer letters, so that the hold does not end before their turn. */
function chunkSize(rate: number | undefined): number {
  return rate === undefined ? CHUNK : Math.max(1, Math.min(CHUNK, Math.floor(rate * 20)));
}

/** Letters of one request: of a slow sweep no more than a second's worth. */
function batchSize(rate: number | undefined): number {
  return rate === undefined ? 10 : Math.max(1, Math.min(10, Math.floor(rate)));
}
