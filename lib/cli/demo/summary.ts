import { duration } from '../describe-event';
import type { Output } from '../output';
import type { DemoResult } from './demo';

export interface SummaryOptions {
  readonly out: Output;
  readonly keep: boolean;
  readonly target: string | undefined;
}

/** The end of a demo: what came of it, where the report is, and what to type next. */
export function summaryLines(
  { told, stages, deploySeconds, totalSeconds }: DemoResult,
  options: SummaryOptions,
): string[] {
  const { out, keep, target } = options;
  const { style } = out;
  const { report, ...rest } = told;
  const facts = Object.entries(rest).flatMap(([name, value]) => {
    const text = show(value);
    return text === undefined ? [] : [`  ${style.dim(words(name).padEnd(24))}${text}`];
  });
  const events = stages.reduce((sum, stage) => sum + stage.events, 0);
  return [
    '',
    `${style.green('done')} in ${duration(totalSeconds * 1000)}${style.dim(`, of which ${duration(deploySeconds * 1000)} to start and deploy; ${events} events from ${stages.length} stages`)}`,
    ...facts,
    ...(typeof report === 'string' ? [`  ${style.dim('report'.padEnd(24))}${report}`] : []),
    '',
    style.dim('Try next:'),
    ...nextCommands(keep || (target !== undefined && target !== 'local')),
  ];
}

function nextCommands(running: boolean): string[] {
  if (running) {
    return [
      '  npx headrace runs list         the runs and what they took',
      '  npx headrace events            watch the bus',
      '  npx headrace down              stop the target',
    ];
  }
  return [
    '  npx headrace graph             who says what to whom',
    '  npx headrace up                the pipeline on a target that stays',
    '  npx headrace demo --full       the same with the whole data set',
  ];
}

const words = (name: string) => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();

function show(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value.toLocaleString('en') : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return undefined;
}
