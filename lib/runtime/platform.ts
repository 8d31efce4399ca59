import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@aws-lambda-powertools/logger';
import { countDeliveries, type Verdict } from './metrics';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export type ClientName = 'dynamodb' | 'eventbridge' | 's3' | 'sfn' | 'sqs';

/** All that the runtime asks of its surroundings, the AWS clients apart. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  uuid(): string;
  /** @throws AbortError when `signal` is aborted first */
  sleep(ms: number, signal?: AbortSignal): Promise<unknown>;
  /** A variable of the function's environment. */
  env(name: string): string | undefined;
  /** A log whose every line carries the tags. */
  log(name: string, tags: Readonly<Record<string, string | number>>): Log;
  /** Counts the verdicts of one invocation and how long it took, milliseconds. */
  count(module: string, verdicts: readonly Verdict[], milliseconds: number): void;
}

/** Surroundings with the clients that stand in for those of AWS: a simulation, or a run without effects. */
export interface Platform extends Surroundings {
  /** Each needs no more than `send(command)`. */
  readonly clients: Readonly<Record<ClientName, object>>;
  /** Stands in for an effect of `once` that has no result yet. @default - the effect itself */
  effect?(name: string, token: string, fn: (token: string) => Promise<unknown>): Promise<unknown>;
}

/** Parent of the loggers that modules receive. */
const logger = new Logger({ serviceName: 'headrace' });

/** A Lambda function, or any process of Node.js. */
const PROCESS: Surroundings = {
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: () => randomUUID(),
  // What only waits must not keep a process alive.
  sleep: (ms, signal) => sleep(ms, undefined, { ref: signal === undefined, ...(signal && { signal }) }),
  env: (name) => process.env[name],
  log(name, tags) {
    const log = logger.createChild({ serviceName: name });
    log.appendKeys({ ...tags });
    return log;
  },
  count: countDeliveries,
};

const current = new AsyncLocalStorage<Platform>();

/** The surroundings of the code that runs just now. */
export const platform = (): Surroundings => current.getStore() ?? PROCESS;

/** The client that stands in for that of AWS, if there is one. */
export const standIn = (name: ClientName): object | undefined => current.getStore()?.clients[name];

/** Runs an effect of `once`, or what stands in for it. */
export function runEffect(name: string, token: string, fn: (token: string) => Promise<unknown>): Promise<unknown> {
  return current.getStore()?.effect?.(name, token, fn) ?? fn(token);
}

/** Runs `fn`, and everything it awaits, in other surroundings than those of the process. */
export const runOn = <T>(other: Platform, fn: () => T): T => current.run(other, fn);
