import { createHash } from 'node:crypto';
import type { DeadLetter } from './letter';

type Failure = Pick<DeadLetter, 'module' | 'reason' | 'error'>;

/**
 * Names a way to fail: 8 hex digits over module, reason, code or name of the error, its message without what differs
 * from event to event, and the first frame of the user's own code. The same failure, the same digits, on every machine.
 */
export function fingerprintOf({ module, reason, error }: Failure): string {
  const facts = [module, reason, error.code ?? error.name, plainMessage(error.message), ownFrame(error.stack) ?? ''];
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 8);
}

/** What differs between two events that fail alike, and what stands in its place. The order matters. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/^\[HR\d{3}\] /, ''],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s'"`,;)]+/gi, '<uri>'],
  // An apostrophe inside a word opens no quotation.
  [/(?<!\w)(['"`])(?:(?!\1).)*\1/g, '<value>'],
  [/\[[^[\]]*\]/g, '<list>'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>'],
  // A word with a digit in it is a name that somebody gave; a code of ours is not.
  [/\b(?!HR\d{3}\b)(?=[\w-]*\d)(?=[\w-]*[a-z_-])[\w-]+/gi, '<id>'],
  [/\b\d+(\.\d+)?\b/g, '<n>'],
  [/(\S*<(?:id|n|value|uri)>\S*?)(?:, \1)+/g, '$1'],
];

/** The message with `<id>`, `<n>`, `<value>`, `<uri>`, `<list>` and `<time>` where events differ. */
export function plainMessage(message: string): string {
  return VARYING.reduce((text, [pattern, by]) => text.replaceAll(new RegExp(pattern, withG(pattern)), by), message);
}

const withG = ({ flags }: RegExp) => (flags.includes('g') ? flags : `${flags}g`);

/**
 * The first frame in a source file of the project, as `lambdas/train/handler.ts#logic`: without its line, which moves
 * with every edit. Deployed code is minified and has no such frames; then there is none.
 */
export function ownFrame(stack: string | undefined): string | undefined {
  for (const line of stack?.split('\n').slice(1) ?? []) {
    if (/node:|node_modules/.test(line)) continue;
    const file = /((?:lambdas|events|workflows)[\\/][^():]+\.ts)/.exec(line)?.[1];
    if (file === undefined) continue;
    const name = /^\s*at (?:async )?([^\s(]+) \(/.exec(line)?.[1];
    return name === undefined ? file : `${file}#${name}`;
  }
  return undefined;
}
