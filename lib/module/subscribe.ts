import type { DataOf, Listenable } from '../contract';

/** One matcher of the EventBridge pattern language. */
export type Matcher =
  | string
  | number
  | boolean
  | null
  | { readonly prefix: string }
  | { readonly suffix: string }
  | { readonly wildcard: string }
  | { readonly 'anything-but': unknown }
  | { readonly 'equals-ignore-case': string }
  | { readonly exists: boolean }
  | { readonly numeric: readonly (string | number)[] };

/** A filter on data: a list of matchers for a field, or a nested filter for an object. */
export type Where<Data> = {
  readonly [K in keyof Data]?: NonNullable<Data[K]> extends readonly unknown[] | string | number | boolean | null
    ? readonly Matcher[]
    : Where<Data[K]> | readonly Matcher[];
};

/** One entry of a module's `on`: what it listens to and under which condition. One rule on the bus each. */
export interface On<L extends Listenable = Listenable> {
  readonly listenable: L;
  /** EventBridge pattern on the data; absent = every event. */
  readonly where?: object;
}

export type Subscribable = Listenable | On;

/**
 * Listens to `listenable` only where its data matches: `on(modelEvaluated, { accuracy: [{ numeric: ['>=', 0.9] }] })`.
 * The filter becomes part of the rule, so events that do not match cost nothing.
 */
export function on<L extends Listenable>(listenable: L, where?: Where<DataOf<L>>): On<L> {
  return where ? { listenable, where } : { listenable };
}
