import type { Gap } from '../../target';
import { counted } from '../counted';
import type { Output } from '../output';
import { type DeployedStore, storeLines } from '../upload';
import type { Check } from './checks';

export interface Diagnosis {
  readonly checks: readonly Check[];
  readonly versions: Readonly<Record<string, string>>;
  readonly stores: readonly DeployedStore[];
  /** What the target does otherwise than AWS. */
  readonly gaps: readonly Gap[];
}

export function doctorLines({ checks, versions, stores, gaps }: Diagnosis, out: Output, withGaps: boolean): string[] {
  const { style } = out;
  const paints = { ok: style.green, warn: style.yellow, fail: style.red };
  return [
    ...checks.flatMap(({ name, result, found, next }) => [
      `${paints[result](result.padEnd(5))} ${name.padEnd(13)} ${found}`,
      ...(next ? [`${' '.repeat(20)}${style.dim(next)}`] : []),
    ]),
    ...(stores.length > 0 ? ['', ...storeLines(stores, out)] : []),
    '',
    style.dim(
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join('   '),
    ),
    ...(gaps.length > 0 ? ['', ...(withGaps ? gapLines(gaps, out) : [gapCount(gaps, out)])] : []),
  ];
}

function gapCount({ length }: readonly Gap[], { style }: Output): string {
  return style.dim(`This target does ${counted(length, 'thing')} otherwise than AWS: see --gaps`);
}

function gapLines(gaps: readonly Gap[], out: Output): string[] {
  const { style } = out;
  return [
    style.bold(`What this target does otherwise than AWS (${gaps.length})`),
    ...gaps.flatMap(({ area, feature, there, headrace }) => [
      `${style.cyan(area.padEnd(15))} ${feature}`,
      `${' '.repeat(16)}${style.dim('there   ')} ${there}`,
      `${' '.repeat(16)}${style.dim('headrace')} ${headrace}`,
    ]),
  ];
}
