import { LIMITS } from '../contract/limits';

/** How a store is used. `write` includes reading back and listing what was written. */
export type Access = 'read' | 'write';

/** Store names with the access a module needs: `{ datasets: 'read', models: 'write' }`. */
export type StoreAccess = Readonly<Record<string, Access>>;

/** Retry of a failed message or step: exponential backoff with full jitter (AWS Architecture Blog, 2015). */
export interface Retry {
  /** Attempts in all, 1 to 100. */
  readonly attempts: number;
  /** Longest wait before the second attempt, seconds, at least 1. */
  readonly firstDelaySeconds: number;
  /** Growth of the wait from one attempt to the next, at least 1. */
  readonly factor: number;
  /** Upper bound of a wait, seconds, up to 3600. */
  readonly maxDelaySeconds: number;
}

export const DEFAULT_RETRY: Retry = { attempts: 5, firstDelaySeconds: 2, factor: 2, maxDelaySeconds: 300 };

/** Settings shared by modules and workflow steps. */
export interface WorkSettings {
  /** @default 5 attempts, waits up to 2 s, 4 s, 8 s, ... 300 s */
  readonly retry: Retry;
  /**
   * Longest invocation, seconds, 1 to 900. Queue visibility is derived from it.
   *
   * @default 60
   */
  readonly timeoutSeconds: number;
  /**
   * Memory of the function, MiB, 128 to 10240; CPU grows with it.
   *
   * @default 512
   */
  readonly memoryMb: number;
}

type Row<T> = readonly [name: string, value: (settings: T) => number, from: number, to: number];

/** The only setting that may be a fraction. */
const FACTOR = 'retry.factor';

const ROWS: readonly Row<WorkSettings>[] = [
  ['timeoutSeconds', (s) => s.timeoutSeconds, 1, LIMITS.timeoutSeconds.value],
  ['memoryMb', (s) => s.memoryMb, 128, 10_240],
  ['retry.attempts', (s) => s.retry.attempts, 1, 100],
  ['retry.firstDelaySeconds', (s) => s.retry.firstDelaySeconds, 1, 3600],
  [FACTOR, (s) => s.retry.factor, 1, 10],
  ['retry.maxDelaySeconds', (s) => s.retry.maxDelaySeconds, 1, 3600],
];

const ACCESS: readonly string[] = ['read', 'write'];

const STORE_FORM = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Settings that modules and steps share. */
export const WORK_KEYS = ['name', 'summary', 'emits', 'stores', 'retry', 'timeoutSeconds', 'memoryMb'];

const NAME_FORM = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;

/** The settings out of range, as sentences; empty when all hold. */
export function checkSettings(declared: WorkSettings & { readonly name: string }): string[] {
  const broken = ROWS.filter(([name, value, from, to]) => {
    const got = value(declared);
    return !(got >= from && got <= to && (name === FACTOR || Number.isInteger(got)));
  }).map(([name, value, from, to]) => {
    const kind = name === FACTOR ? '' : 'a whole number ';
    return `${name} must be ${kind}from ${from} to ${to}, got ${value(declared)}`;
  });
  return [...checkName(declared.name), ...broken];
}

/** Names in a declaration that mean nothing, such as a misspelt setting; empty when there are none. */
export function checkKeys(options: object, known: readonly string[]): string[] {
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  return unknown.map((key) => `${key} is no setting; there are ${known.join(', ')}`);
}

/** What is wrong with the summary and the stores; empty when nothing is. */
export function checkRest({ summary, stores }: { readonly summary: string; readonly stores: StoreAccess }): string[] {
  const wrong = Object.entries(stores).filter(([name, access]) => !STORE_FORM.test(name) || !ACCESS.includes(access));
  return [
    ...(typeof summary === 'string' && summary !== '' ? [] : ['summary must say in a sentence what it does']),
    ...wrong.map(
      ([name, access]) => `stores.${name} must be 'read' or 'write', its name lower-case words, got '${access}'`,
    ),
  ];
}

/** What is wrong with the name of a module, step or workflow; empty when nothing is. */
export function checkName(name: string): string[] {
  const holds = NAME_FORM.test(name) && name.length <= 40;
  return holds ? [] : [`name must be verb-noun in lower case, up to 40 characters, got '${name}'`];
}

const MAX_CONCURRENCY = LIMITS.eventSourceConcurrency.value;

/** What is wrong with a MaximumConcurrency; empty when nothing is. */
export function checkConcurrency(concurrency: number): string[] {
  const holds = Number.isInteger(concurrency) && concurrency >= 2 && concurrency <= MAX_CONCURRENCY;
  return holds ? [] : [`concurrency must be a whole number from 2 to ${MAX_CONCURRENCY}, got ${concurrency}`];
}
