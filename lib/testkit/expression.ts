import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { HeadraceError } from '../contract';

export type Item = Readonly<Record<string, AttributeValue>>;

/** What an expression is evaluated on. */
export interface Scope {
  readonly item: Item;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, AttributeValue>>;
}

type Value = (scope: Scope) => AttributeValue | undefined;
export type Condition = (scope: Scope) => boolean;

export interface Update {
  readonly set: readonly { readonly path: (scope: Scope) => string; readonly value: Value }[];
  readonly remove: readonly ((scope: Scope) => string)[];
}

/** An expression, understood; `uses` are the placeholders in it. */
export interface Parsed<T> {
  readonly meaning: T;
  readonly uses: ReadonlySet<string>;
}

const TOKEN = /\s*(?:(<>|<=|>=|[=<>(),+-])|([#:]?[A-Za-z_]\w*))/y;

/** Reads an expression word by word. */
class Reader {
  readonly uses = new Set<string>();
  readonly #text: string;
  readonly #tokens: string[] = [];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const from = TOKEN.lastIndex;
      const found = TOKEN.exec(text);
      if (!found) throw this.refuse(text.slice(from));
      this.#tokens.push(found[1] ?? found[2] ?? '');
    }
  }

  /** Takes the next word if it is this one; words of the language are written in either case. */
  accept(word: string): boolean {
    if (this.#tokens[this.#next]?.toUpperCase() !== word) return false;
    this.#next++;
    return true;
  }

  expect(word: string): void {
    if (!this.accept(word)) throw this.refuse(`${this.#tokens[this.#next] ?? 'the end'} where ${word} should stand`);
  }

  take(form: RegExp): string {
    const token = this.#tokens[this.#next] ?? 'the end';
    if (!form.test(token)) throw this.refuse(token);
    this.#next++;
    if (/^[#:]/.test(token)) this.uses.add(token);
    return token;
  }

  peek(offset = 0): string | undefined {
    return this.#tokens[this.#next + offset];
  }

  end(): void {
    if (this.#next < this.#tokens.length) throw this.refuse(String(this.peek()));
  }

  refuse(got: string): HeadraceError {
    return new HeadraceError('HR704', {
      what: `The simulated table does not understand the expression ${this.#text}.`,
      got,
      allowed:
        'AND, OR, NOT, =, <>, <, <=, >, >=, attribute_exists, attribute_not_exists; SET with if_not_exists, + and -, REMOVE',
      next: 'Write the expression with these.',
    });
  }
}

const PATH = /^#?[A-Za-z_]\w*$/;
const VALUE = /^:\w+$/;
const COMPARE: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function path(reader: Reader): (scope: Scope) => string {
  const token = reader.take(PATH);
  if (!token.startsWith('#')) return () => token;
  return ({ names }) => names[token] as string;
}

function operand(reader: Reader): Value {
  if (reader.peek()?.startsWith(':')) {
    const token = reader.take(VALUE);
    return ({ values }) => values[token];
  }
  if (reader.peek() === 'if_not_exists' && reader.peek(1) === '(') {
    reader.take(PATH);
    reader.expect('(');
    const name = path(reader);
    reader.expect(',');
    const fallback = operand(reader);
    reader.expect(')');
    return (scope) => scope.item[name(scope)] ?? fallback(scope);
  }
  const name = path(reader);
  return (scope) => scope.item[name(scope)];
}

function disjunction(reader: Reader): Condition {
  const first = conjunction(reader);
  if (!reader.accept('OR')) return first;
  const rest = disjunction(reader);
  return (scope) => first(scope) || rest(scope);
}

function conjunction(reader: Reader): Condition {
  const first = negation(reader);
  if (!reader.accept('AND')) return first;
  const rest = conjunction(reader);
  return (scope) => first(scope) && rest(scope);
}

function negation(reader: Reader): Condition {
  if (!reader.accept('NOT')) return atom(reader);
  const inner = negation(reader);
  return (scope) => !inner(scope);
}

function atom(reader: Reader): Condition {
  if (reader.accept('(')) {
    const inner = disjunction(reader);
    reader.expect(')');
    return inner;
  }
  if (reader.peek(1) === '(') return existence(reader);
  const left = operand(reader);
  const operator = reader.take(/^(<>|<=|>=|[=<>])$/);
  const right = operand(reader);
  const holds = COMPARE[operator] as (order: number) => boolean;
  return (scope) => {
    const order = compare(left(scope), right(scope));
    return order === undefined ? operator === '<>' : holds(order);
  };
}

function existence(reader: Reader): Condition {
  const name = reader.take(/^attribute_(not_)?exists$/);
  reader.expect('(');
  const attribute = path(reader);
  reader.expect(')');
  const wanted = name === 'attribute_exists';
  return (scope) => (scope.item[attribute(scope)] !== undefined) === wanted;
}

/** Below, at or above zero; undefined for what can't be compared: another type, or nothing. */
function compare(left: AttributeValue | undefined, right: AttributeValue | undefined): number | undefined {
  if (left?.N !== undefined && right?.N !== undefined) return Number(left.N) - Number(right.N);
  if (left?.S !== undefined && right?.S !== undefined) {
    if (left.S === right.S) return 0;
    return left.S < right.S ? -1 : 1;
  }
  if (left?.BOOL !== undefined && right?.BOOL !== undefined) return Number(left.BOOL) - Number(right.BOOL);
  return undefined;
}

function sum(reader: Reader): Value {
  let total = operand(reader);
  for (;;) {
    const sign = reader.accept('+') ? 1 : -1;
    if (sign === -1 && !reader.accept('-')) return total;
    const before = total;
    const more = operand(reader);
    total = (scope) => ({ N: String(Number(before(scope)?.N) + sign * Number(more(scope)?.N)) });
  }
}

function update(reader: Reader): Update {
  const set: Update['set'][number][] = [];
  const remove: Update['remove'][number][] = [];
  while (reader.peek() !== undefined) {
    if (reader.accept('SET')) {
      do {
        const target = path(reader);
        reader.expect('=');
        set.push({ path: target, value: sum(reader) });
      } while (reader.accept(','));
    } else {
      reader.expect('REMOVE');
      do remove.push(path(reader));
      while (reader.accept(','));
    }
  }
  return { set, remove };
}

function remembered<T>(parse: (reader: Reader) => T): (text: string) => Parsed<T> {
  const known = new Map<string, Parsed<T>>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const reader = new Reader(text);
    const meaning = parse(reader);
    reader.end();
    const parsed = { meaning, uses: reader.uses };
    known.set(text, parsed);
    return parsed;
  };
}

/** Understands a condition expression of DynamoDB. @throws HeadraceError HR704 */
export const parseCondition = remembered(disjunction);

/** Understands an update expression of DynamoDB. @throws HeadraceError HR704 */
export const parseUpdate = remembered(update);
