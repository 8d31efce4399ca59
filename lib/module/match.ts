import { HeadraceError } from '../contract';
import type { RulePlan } from './rules';

/** A JSON object. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether an event on the bus passes a rule, as EventBridge decides it.
 *
 * @param bucketOf - name of a store's bucket, which the rule for its uploads asks for
 * @throws HeadraceError HR201 for a matcher that Headrace does not know
 */
export function passes(plan: RulePlan, event: object, bucketOf: (store: string) => string | undefined): boolean {
  const { store, pattern } = plan;
  if (store !== undefined && !fits({ detail: { bucket: { name: [bucketOf(store) ?? ''] } } }, event)) return false;
  return fits(pattern, event);
}

/**
 * Whether an event fits a pattern of the EventBridge language, as far as `on` offers it: values, prefix, suffix,
 * wildcard, anything-but, equals-ignore-case, exists, numeric, and `$or`. Where the event has a list, one element is
 * enough; filters on several fields of listed objects must fit the same object.
 *
 * @throws HeadraceError HR201 for another matcher
 */
export function fits(pattern: object, event: unknown): boolean {
  return Object.entries(pattern).every(([key, wanted]: [string, unknown]) => {
    if (key === '$or') return (wanted as object[]).some((each) => fits(each, event));
    return fieldFits(wanted, isFields(event) ? event[key] : undefined);
  });
}

function fieldFits(wanted: unknown, value: unknown): boolean {
  if (Array.isArray(wanted)) {
    const leaves = leavesOf(value);
    return wanted.some((matcher: unknown) => matcherFits(matcher, leaves));
  }
  // An absent object still has to be looked into: a filter inside may ask for a field not to exist.
  const objects = Array.isArray(value) && value.length > 0 ? value : [value];
  return objects.some((each) => fits(wanted as object, each));
}

/** The values a matcher sees: those of a list one by one; an object is none. */
function leavesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return value === undefined || isFields(value) ? [] : [value];
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function matcherFits(matcher: unknown, leaves: readonly unknown[]): boolean {
  if (!isFields(matcher)) return leaves.includes(matcher);
  const [[name = '', argument] = []] = Object.entries(matcher);
  if (name === 'exists') return leaves.length > 0 === argument;
  const test = TESTS[name];
  if (test) return leaves.some((value) => test(value, argument));
  throw new HeadraceError('HR201', {
    what: 'A filter has a matcher that Headrace does not know.',
    got: matcher,
    allowed: `a value, exists, ${Object.keys(TESTS).join(', ')}`,
    next: 'Correct the filter in the `on` of the module.',
  });
}

type Test = (value: unknown, argument: unknown) => boolean;

/** A matcher on text; its argument may stand in `equals-ignore-case`. */
const onText =
  (holds: (text: string, argument: string) => boolean): Test =>
  (value, argument) => {
    if (typeof value !== 'string') return false;
    if (!isFields(argument)) return holds(value, String(argument));
    return holds(value.toLowerCase(), String(argument['equals-ignore-case']).toLowerCase());
  };

const TESTS: Readonly<Record<string, Test>> = {
  prefix: onText((text, argument) => text.startsWith(argument)),
  suffix: onText((text, argument) => text.endsWith(argument)),
  wildcard: onText(fitsWildcard),
  'equals-ignore-case': onText((text, argument) => text.toLowerCase() === argument.toLowerCase()),
  numeric: (value, argument) => typeof value === 'number' && inRange(value, argument as (string | number)[]),
  'anything-but': (value, argument) => !isExcluded(value, argument),
};

/** Whether a text fits a pattern in which `*` stands for any characters and `\*` for the character itself. */
export function fitsWildcard(text: string, pattern: string): boolean {
  const [first = '', ...others] = literalsOf(pattern);
  const last = others.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  // Each at the first place it has: where any way fits, that one does. An expression would try them all.
  let at = first.length;
  for (const literal of others) {
    const found = text.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return at <= end;
}

/** What stands between the stars of a wildcard. */
function literalsOf(pattern: string): string[] {
  const literals = [''];
  for (const [part] of pattern.matchAll(/\\[*\\]|./gsu)) {
    if (part === '*') literals.push('');
    else literals.push(`${literals.pop()}${part.length === 2 && part.startsWith('\\') ? part.slice(1) : part}`);
  }
  return literals;
}

const COMPARE: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** `['>', 0, '<=', 5]` */
function inRange(value: number, bounds: readonly (string | number)[]): boolean {
  for (let i = 0; i < bounds.length; i += 2) {
    if (COMPARE[String(bounds[i])]?.(value, Number(bounds[i + 1])) !== true) return false;
  }
  return true;
}

/** `argument` is a value, a list of values, or a matcher on text whose argument may be a list. */
function isExcluded(value: unknown, argument: unknown): boolean {
  if (!isFields(argument)) return listOf(argument).includes(value);
  const [[name = '', inner] = []] = Object.entries(argument);
  const test = TESTS[name];
  return listOf(inner).some((each) => test?.(value, each) === true);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
