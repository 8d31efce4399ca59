import type { DataSchema } from './event';

/**
 * A family of events: a shape that contracts nobody foresaw can join. A subscriber listens to the family and
 * receives every event whose contract names it; the rule is computed from the contracts found when the app is
 * synthesized, so joining or leaving a family changes no subscriber.
 */
export interface Family<Schema extends DataSchema = DataSchema> {
  readonly kind: 'family';
  readonly name: string;
  readonly summary: string;
  /** The fields every member has. Members may have more. */
  readonly schema: Schema;
  /** Fields that must never appear in logs, errors or metrics. */
  readonly sensitive: readonly string[];
}

/** Declares a family of events. */
export function defineFamily<Schema extends DataSchema>(
  options: Omit<Family<Schema>, 'kind' | 'sensitive'> & { readonly sensitive?: readonly string[] },
): Family<Schema> {
  return { kind: 'family', sensitive: [], ...options };
}
