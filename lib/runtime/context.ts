import type { S3Client } from '@aws-sdk/client-s3';
import type { Context as LambdaContext } from 'aws-lambda';
import type { Cause } from '../contract';
import { type Access, ENV, type StoreAccess } from '../module';
import { chainMetadata } from './chain';
import { s3 } from './clients';
import type { Lease } from './lease';
import type { Ledger } from './ledger';
import { type Log, platform, runEffect } from './platform';
import { setting } from './setting';
import { type ReadableStore, S3Store, type WritableStore } from './store';

/** The stores a module declared, each with the methods its access allows. */
export type Stores<Declared extends StoreAccess> = {
  readonly [K in keyof Declared]: Declared[K] extends 'write' ? WritableStore : ReadableStore;
};

/** What a module's logic receives beside the event. */
export interface Context<Declared extends StoreAccess = StoreAccess> {
  readonly stores: Stores<Declared>;
  /** Logs with the correlation id; never log the data of an event with sensitive fields. */
  readonly log: Log;
  /** From 1; counts this event's attempts by this module, not deliveries. */
  readonly attempt: number;
  /** Milliseconds until the invocation is ended. */
  remainingMs(): number;
  /** Aborted shortly before the invocation is ended. */
  readonly signal: AbortSignal;
  /**
   * Runs a side effect once for this event: the result is kept in the ledger and returned to later attempts.
   * If the worker dies between the effect and the note, `fn` runs again with the same `token`: hand it to services
   * that take an idempotency token.
   */
  once<T>(name: string, fn: (token: string) => Promise<T>): Promise<T>;
}

const opened = new WeakMap<S3Client, Map<string, S3Store>>();

/** The store of that name, by the bucket the environment names. */
export function storeOf(name: string): WritableStore {
  const client = s3();
  const stores = opened.get(client) ?? new Map<string, S3Store>();
  opened.set(client, stores);
  const bucket = setting(ENV.store(name));
  const store = stores.get(bucket) ?? new S3Store(client, bucket);
  stores.set(bucket, store);
  return store;
}

/** Opens each declared store when it is first used, so that a unit of work pays only for what it touches. */
export function storesOf<Declared extends StoreAccess>(declared: Declared, cause?: Cause): Stores<Declared> {
  const stores = {};
  const open = (name: string): WritableStore =>
    cause ? new S3Store(s3(), setting(ENV.store(name)), chainMetadata(cause)) : storeOf(name);
  for (const name of Object.keys(declared) as (keyof Declared & string)[]) {
    Object.defineProperty(stores, name, { get: () => open(name) satisfies Record<Access, WritableStore>['write'] });
  }
  return stores as Stores<Declared>;
}

export interface WorkOptions<Declared extends StoreAccess> {
  readonly name: string;
  readonly stores: Declared;
  readonly lease: Lease;
  readonly ledger: Ledger;
  readonly lambda: LambdaContext;
  /** Aborted when the work has to come to an end. */
  readonly signal: AbortSignal;
  /** What is written goes on with this chain. */
  readonly cause: Cause;
  /** Begins the tokens of `once`: the same for every handling of the same thing. @default - the lease's key */
  readonly effectKey?: string;
  /** Identifies the chain and the work in every log line. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Builds the context of one piece of work. */
export function contextFor<Declared extends StoreAccess>(options: WorkOptions<Declared>): Context<Declared> {
  const { lease, lambda } = options;
  const tags = { ...options.tags, attempt: lease.attempts, requestId: lambda.awsRequestId };
  return {
    stores: storesOf(options.stores, options.cause),
    log: platform().log(options.name, tags),
    attempt: lease.attempts,
    remainingMs: () => lambda.getRemainingTimeInMillis(),
    signal: options.signal,
    once: onceOf(options),
  };
}

/** Effects that are done once, each under its name; side by side they don't lose each other's results. */
function onceOf({ lease, ledger, effectKey = lease.key }: OnceOptions): Context['once'] {
  const results = new Map(Object.entries(lease.once));
  const running = new Map<string, Promise<unknown>>();
  let saved: Promise<void> = Promise.resolve();
  const run = async (name: string, fn: (token: string) => Promise<unknown>) => {
    const result = await runEffect(name, `${effectKey}#${name}`, fn);
    results.set(name, result ?? null);
    saved = saved.catch(() => undefined).then(() => ledger.saveOnce(lease, Object.fromEntries(results)));
    await saved;
    return result;
  };
  return async <T>(name: string, fn: (token: string) => Promise<T>) => {
    if (results.has(name) && !running.has(name)) return results.get(name) as T;
    const under = running.get(name) ?? run(name, fn).finally(() => running.delete(name));
    running.set(name, under);
    return (await under) as T;
  };
}

type OnceOptions = Pick<WorkOptions<StoreAccess>, 'lease' | 'ledger' | 'effectKey'>;
