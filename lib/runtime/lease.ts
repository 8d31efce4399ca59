import type { Envelope } from '../contract';

/** The right to work on one (consumer, work) pair until `until`. */
export interface Lease {
  readonly key: string;
  /** Rises with every takeover; a commit with an older token fails. */
  readonly fence: number;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  /** Results of `once` calls of earlier attempts, by name. */
  readonly once: Readonly<Record<string, unknown>>;
}

export interface Done {
  /** Events that belong to the finished work. */
  readonly outbox: readonly Envelope[];
  /** Whether the outbox is known to have reached the bus. */
  readonly sent: boolean;
  readonly result: unknown;
}

export interface AcquireOptions {
  /** How long the lease runs, milliseconds. */
  readonly leaseMs: number;
  /** @default false */
  readonly takeOver?: boolean;
  /**
   * Leave work alone whose last worker neither finished it nor gave it up, and say so instead.
   *
   * @default false
   */
  readonly leaveAbandoned?: boolean;
  /**
   * In company of other work: should the worker die, it need not be over this, and the attempt does not count. What it
   * left is then done alone, and counts.
   *
   * @default false
   */
  readonly inCompany?: boolean;
  /**
   * When the work came into the world, milliseconds since the epoch: its record outlives it by the time a record is kept,
   * also when a clock was ahead.
   *
   * @default - now
   */
  readonly bornAt?: number;
}

export interface CommitOptions {
  /** What a repeated call of a step returns. */
  readonly result?: unknown;
  /** Name of the replay whose events are kept from the bus: they go out with the first delivery that may emit. */
  readonly fenced?: string;
}

export type Acquired =
  | { readonly state: 'acquired'; readonly lease: Lease }
  | { readonly state: 'done'; readonly done: Done }
  /** Only with `leaveAbandoned`. */
  | { readonly state: 'abandoned'; readonly attempts: number }
  | { readonly state: 'busy'; readonly retryAfterSeconds: number };
