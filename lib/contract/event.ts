import * as z from 'zod';
import { HeadraceError } from './errors';
import type { Family } from './family';

/** An event's data: one flat or nested JSON object. */
export type DataSchema = z.ZodObject;

export interface EventOptions<Type extends string, Schema extends DataSchema> {
  /** A past-tense fact, `<context>.<participle>`: `model.trained`. Also the EventBridge detail-type. */
  readonly type: Type;
  /** Major version of the data. A published version is frozen; a breaking change is a new version. */
  readonly version: number;
  /** What the fact says, one sentence. */
  readonly summary: string;
  /** Schema of the data. Small: facts and references, never datasets or models. */
  readonly schema: Schema;
  /** The field that names the entity the event is about: used for ordering, joins and search. */
  readonly subject: keyof z.output<Schema> & string;
  /**
   * The field that counts the events of one subject: 1, 2, 3, ... without gaps. A module that is `ordered` handles them
   * in this order.
   *
   * @default - the events of a subject have no order
   */
  readonly sequence?: keyof z.output<Schema> & string;
  /** A valid example: the documentation, the tests and `headrace publish --example` use it. */
  readonly example: z.input<Schema>;
  /**
   * Families this event belongs to: who listens to the family receives it.
   *
   * @default - none
   */
  readonly families?: readonly Family[];
  /**
   * Top-level fields that must never appear in logs, errors or metrics.
   *
   * @default - none
   */
  readonly sensitive?: readonly (keyof z.output<Schema> & string)[];
}

/** What a module returns to have an event sent: the fact, before it gets its envelope. */
export interface Draft<Type extends string = string, Data = unknown> {
  readonly contract: AnyEvent;
  readonly type: Type;
  readonly data: Data;
}

/** One event contract: declared once, read by publisher, consumer, rules, docs and tests. */
export interface EventContract<Type extends string = string, Schema extends DataSchema = DataSchema> {
  readonly kind: 'event';
  readonly type: Type;
  readonly version: number;
  readonly summary: string;
  readonly schema: Schema;
  readonly subject: string;
  readonly sequence?: string;
  readonly example: z.input<Schema>;
  readonly families: readonly Family[];
  readonly sensitive: readonly string[];
  /** EventBridge and CloudEvents source: `headrace.<context>`. */
  readonly source: string;
  /** CloudEvents dataschema: `urn:headrace:<type>:<version>`. */
  readonly dataschema: string;
  /**
   * Checks the data and returns the fact to emit.
   *
   * @throws HeadraceError HR102 naming path, value and rule of each violation
   */
  create(data: z.input<Schema>): Draft<Type, z.output<Schema>>;
}

/** Any contract, whatever its type and schema. */
export type AnyEvent = EventContract<string, DataSchema>;

/** The data a contract carries. */
export type DataOf<C> = C extends { readonly schema: infer S extends DataSchema } ? z.output<S> : never;

const TYPE_FORM = /^[a-z][a-z0-9]*(-[a-z0-9]+)*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Declares an event.
 *
 * @throws HeadraceError HR101 when the type is not `<context>.<fact>`, the version is not a positive whole number,
 * the example does not fit the schema or a family, or a family would show a sensitive field
 */
export function defineEvent<const Type extends string, Schema extends DataSchema>(
  options: EventOptions<Type, Schema>,
): EventContract<Type, Schema> {
  const { type, version, schema } = options;
  refuseBadDeclaration(options);
  const strict = { ...options, schema: schema.strict(), sensitive: options.sensitive ?? [] };
  const contract: EventContract<Type, Schema> = {
    kind: 'event',
    type,
    version,
    summary: options.summary,
    schema,
    subject: options.subject,
    ...(options.sequence !== undefined && { sequence: options.sequence }),
    example: options.example,
    families: options.families ?? [],
    sensitive: options.sensitive ?? [],
    source: `headrace.${type.split('.')[0]}`,
    dataschema: `urn:headrace:${type}:${version}`,
    create: (data) => ({
      contract: contract as unknown as AnyEvent,
      type,
      data: checkData(strict, data) as z.output<Schema>,
    }),
  };
  checkData(strict, options.example, 'HR101');
  for (const family of contract.families) {
    checkData({ ...family, type }, options.example, 'HR101');
    refuseLeak(contract, family);
  }
  return contract;
}

function refuseBadDeclaration(options: EventOptions<string, DataSchema>): void {
  if (!TYPE_FORM.test(options.type)) {
    throw new HeadraceError('HR101', {
      what: 'The event type is not a past-tense fact with its context.',
      got: options.type,
      allowed: "'<context>.<fact>' in lower-case words, such as 'model.trained'",
      next: 'Rename the type.',
    });
  }
  if (!Number.isInteger(options.version) || options.version < 1) {
    throw new HeadraceError('HR101', {
      what: `The version of ${options.type} is not a whole number from 1.`,
      got: options.version,
      allowed: '1, 2, 3, ...',
      next: 'Give the first version 1.',
    });
  }
  const { sequence } = options;
  if (sequence !== undefined && !(options.schema.shape[sequence] instanceof z.ZodNumber)) {
    throw new HeadraceError('HR101', {
      what: `The sequence of ${options.type} is not a number of its data.`,
      got: sequence,
      allowed: 'a required field of the schema, such as z.number().int().positive()',
      next: 'Name the field that counts the events of one subject from 1.',
    });
  }
  if (!(options.subject in options.schema.shape)) {
    throw new HeadraceError('HR101', {
      what: `The subject of ${options.type} is not a field of its data.`,
      got: options.subject,
      allowed: Object.keys(options.schema.shape).join(', '),
      next: 'Name the field that identifies the entity.',
    });
  }
}

/** Who listens to a family knows only the family: what a member calls sensitive, it must call sensitive too. */
function refuseLeak({ type, sensitive }: Pick<AnyEvent, 'type' | 'sensitive'>, family: Family): void {
  const leak = sensitive.find((field) => field in family.schema.shape && !family.sensitive.includes(field));
  if (!leak) return;
  throw new HeadraceError('HR101', {
    what: `The family ${family.name} would show ${leak}, which ${type} calls sensitive.`,
    next: "Name the field in the family's `sensitive` too.",
  });
}

/** One broken rule of a schema. */
export interface Violation {
  /** Where in the data: `accuracy`, `shards.0.uri`; empty for the data itself. */
  readonly path: string;
  /** What stood there; withheld for sensitive fields. */
  readonly value: unknown;
  /** What the schema asks for. */
  readonly rule: string;
}

interface Checkable {
  readonly type: string;
  readonly schema: DataSchema;
  readonly sensitive: readonly string[];
}

/** The violations of `data` against a contract, without raising. Values of sensitive fields are withheld. */
export function violations(contract: Checkable, data: unknown): Violation[] {
  const result = contract.schema.safeParse(data);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const secret = issue.path.length === 0 || contract.sensitive.includes(String(issue.path[0]));
    return {
      path: issue.path.join('.'),
      value: secret && contract.sensitive.length > 0 ? '(withheld)' : valueAt(data, issue.path),
      rule: issue.message,
    };
  });
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = data;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

/** Parses data by a contract. @throws HeadraceError HR102 (or `code`) listing every violation */
export function checkData<S extends DataSchema>(
  contract: Checkable & { readonly schema: S },
  data: unknown,
  code: 'HR101' | 'HR102' = 'HR102',
): z.output<S> {
  const result = contract.schema.safeParse(data);
  if (result.success) return result.data as z.output<S>;
  const broken = violations(contract, data)
    .map(({ path, value, rule }) => `${path || '(data)'} = ${JSON.stringify(value) ?? 'missing'}: ${rule}`)
    .join('; ');
  throw new HeadraceError(code, {
    what: `The data of ${contract.type} breaks its schema: ${broken}.`,
    next: 'Correct the named fields.',
  });
}

/** JSON Schema (draft 2020-12) of a contract's data, for documentation and goldens. */
export function jsonSchema(contract: { readonly schema: DataSchema }): object {
  return z.toJSONSchema(contract.schema, { io: 'input' });
}
