import type * as z from 'zod';
import type { Sequence } from './envelope';
import type { DataSchema } from './event';

/**
 * An event that an AWS service puts on the account's default bus, such as S3's "Object Created".
 * It has no Headrace envelope: its `detail` is the data, and it starts a new correlation.
 */
export interface AwsEvent<Type extends string = string, Schema extends DataSchema = DataSchema> {
  readonly kind: 'aws-event';
  /** Name in the graph: `s3.object-created`. */
  readonly type: Type;
  /** EventBridge source: `aws.s3`. */
  readonly source: string;
  /** EventBridge detail-type: `Object Created`. */
  readonly detailType: string;
  readonly summary: string;
  /** Schema of `detail`; unknown fields are kept out. */
  readonly schema: Schema;
  /** Reads the entity from the detail. */
  subject(data: z.output<Schema>): string;
  /** Reads its place among the events of one thing, where the service gives one. @default - the service gives none */
  sequence?(data: z.output<Schema>): Sequence | undefined;
  /** The store the event is about: its bucket is named by the rule and its notifications are switched on. */
  readonly store?: string;
  readonly sensitive: readonly string[];
}

/** Declares an event of an AWS service, so that a module can subscribe to it. */
export function defineAwsEvent<const Type extends string, Schema extends DataSchema>(
  options: Omit<AwsEvent<Type, Schema>, 'kind' | 'sensitive'>,
): AwsEvent<Type, Schema> {
  return { kind: 'aws-event', sensitive: [], ...options };
}
