import * as z from 'zod';
import { type DataOf, HeadraceError, type Listenable } from '../contract';

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
 *
 * @throws HeadraceError HR201 when the filter names a field the contract does not have: it could never match
 */
export function on<L extends Listenable>(listenable: L, where?: Where<DataOf<L>>): On<L> {
  if (!where) return { listenable };
  const unknown = unknownFields(listenable.schema, where);
  if (unknown.length === 0) return { listenable, where };
  throw new HeadraceError('HR201', {
    what: `A filter names a field that ${listenable.kind === 'family' ? listenable.name : listenable.type} does not have.`,
    got: unknown.join(', '),
    allowed: Object.keys(listenable.schema.shape).join(', '),
    next: 'Correct the field; npm run types finds such typos too.',
  });
}

/** Paths of a filter that the schema does not have. */
function unknownFields(schema: z.ZodObject, where: object, path = ''): string[] {
  return Object.entries(where).flatMap(([key, inner]) => {
    if (key === '$or') return (inner as object[]).flatMap((each) => unknownFields(schema, each, path));
    const field = schema.shape[key];
    if (field === undefined) return [`${path}${key}`];
    if (Array.isArray(inner) || !(field instanceof z.ZodObject)) return [];
    return unknownFields(field, inner as object, `${path}${key}.`);
  });
}
