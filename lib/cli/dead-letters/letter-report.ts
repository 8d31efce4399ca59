import type { Output } from '../output';
import { cut } from '../table';
import type { Difference } from './difference';
import type { Examined } from './examine';

type Row = readonly [string, string | undefined];

export function letterLines(examined: Examined, out: Output): string[] {
  const { style } = out;
  const { letter } = examined;
  const shown = factsOf(examined).filter(([, value]) => value !== undefined && value !== '');
  return [
    ...shown.map(([name, value]) => `${style.dim(name.padEnd(12))}${value}`),
    ...(letter.error.stack ? ['', style.dim(letter.error.stack)] : []),
    ...section('contract', contractLines(examined), out),
    ...section(comparedWith(examined), differenceLines(examined, out), out),
    ...section('event', letter.body.split('\n'), out),
    '',
    style.dim(
      `npx headrace dlq edit ${letter.id.slice(0, 8)}     npx headrace dlq redrive --id ${letter.id.slice(0, 8)}`,
    ),
  ];
}

function factsOf({ letter, group, orphaned, deployedVersion, trail }: Examined): Row[] {
  const { event, error } = letter;
  return [
    ['letter', letter.id],
    ['module', orphaned ? `${letter.module} (no longer in the project)` : letter.module],
    ['event', event && `${event.type}  ${event.subject}  ${event.id}`],
    ['reason', letter.reason],
    ['error', `${error.code ?? error.name}: ${error.message}`],
    ['group', group],
    ['attempts', String(letter.attempts)],
    ['first seen', letter.firstReceived],
    ['parked', letter.parkedAt],
    ['sent back', letter.redriven],
    ['code', codeText(letter.codeVersion, deployedVersion)],
    ['trail', trail?.join(' > ')],
  ];
}

function codeText(failed: string | undefined, deployed: string | undefined): string | undefined {
  if (failed === undefined) return deployed && `${deployed} is deployed now`;
  if (deployed === undefined) return failed;
  return failed === deployed ? `${failed}, still deployed` : `${failed}; ${deployed} is deployed now`;
}

function section(title: string, lines: readonly string[], { style }: Output): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines.map((line) => `  ${line}`)];
}

function contractLines({ fit, orphaned }: Examined): string[] {
  if (orphaned) return ['its module is gone, and with it the contracts it listened to'];
  if (fit === undefined) return [];
  if (fit.fits) return ['the event fits what the module listens to now'];
  const rules = fit.violations.map(
    ({ path, value, rule }) => `${path || '(data)'} = ${value === undefined ? 'missing' : shortJson(value)}: ${rule}`,
  );
  return rules.length > 0 ? rules : [`${fit.code}: ${fit.what}`];
}

function comparedWith({ comparison }: Examined): string {
  if (comparison?.from === 'journal')
    return `against the last good one, ${comparison.id ?? ''} at ${comparison.time ?? ''}`;
  return `against the contract's example: ${comparison?.why ?? 'no good event is known'}`;
}

const WORDS: Readonly<Record<Difference['kind'], string>> = {
  missing: 'missing',
  extra: 'extra',
  type: 'other type',
  value: 'other value',
};

function differenceLines({ comparison }: Examined, { style }: Output): string[] {
  if (!comparison) return [];
  if (comparison.differences.length === 0) return ['no difference'];
  return comparison.differences.map((each) => {
    const word = WORDS[each.kind].padEnd(12);
    const values = [
      ...('here' in each ? [`here ${shortJson(each.here)}`] : []),
      ...('good' in each ? [`good ${shortJson(each.good)}`] : []),
    ];
    const line = `${word}${each.path || '(data)'}  ${values.join(', ')}`;
    return each.kind === 'value' ? style.dim(line) : line;
  });
}

const shortJson = (value: unknown) => cut(JSON.stringify(value) ?? 'undefined', 80);
