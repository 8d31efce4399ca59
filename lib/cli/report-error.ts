import { inspect } from 'node:util';
import { ERROR_CODES, type ErrorCode, HeadraceError } from '../contract/errors';
import type { Violation } from '../contract/event';
import { explainAwsError } from './aws-errors';
import type { Output } from './output';

/** The caller can mend these by typing something else. */
const WRONG_USE: readonly ErrorCode[] = ['HR105', 'HR410', 'HR501', 'HR506'];

export const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

/** Prints an error as what, got, allowed, next. @returns the exit code it stands for */
export function reportError(error: unknown, out: Output, debug: boolean): number {
  const known = error instanceof HeadraceError ? error : explainAwsError(error);
  if (known) printKnown(known, out);
  else printUnknown(error, out);
  if (debug) out.note(inspect(error));
  return known && WRONG_USE.includes(known.code) ? EXIT.wrongUse : EXIT.failed;
}

function printKnown({ code, details }: HeadraceError, out: Output): void {
  const { what, got, allowed, next } = details;
  if (out.json) {
    out.result({ error: { code, title: ERROR_CODES[code], what, got, allowed, next } }, () => []);
    return;
  }
  const { style } = out;
  out.note(`${style.red(code)} ${what.trimEnd()}`);
  const rows = [
    ...showAll(got).map((value) => ['got', value] as const),
    ['allowed', allowed] as const,
    ['next', next] as const,
  ];
  for (const [name, value] of rows) {
    if (value !== undefined) out.note(`  ${style.dim(name.padEnd(8))} ${value}`);
  }
}

/** One line a value; violations of a contract come as path, value and rule. */
function showAll(got: unknown): readonly string[] {
  if (got === undefined) return [];
  if (!Array.isArray(got)) return [show(got)];
  return got.map((each: Partial<Violation>) =>
    each.rule === undefined ? show(each) : `${each.path || '(data)'} = ${show(each.value ?? 'missing')}: ${each.rule}`,
  );
}

function printUnknown(error: unknown, out: Output): void {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const next = 'This is a fault Headrace does not know. Run it again with --debug to see where it comes from.';
  if (out.json) {
    out.result({ error: { what, next } }, () => []);
    return;
  }
  out.note(`${out.style.red('error')} ${what}`);
  out.note(`  ${out.style.dim('next    ')} ${next}`);
}

const show = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)));
