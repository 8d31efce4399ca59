import { counted } from '../counted';
import type { Output } from '../output';
import { hide } from './difference';
import type { DryRun } from './dry-run';
import { type Listened, sensitiveFields } from './fit';
import type { DeadLetter } from './letter';

/** The dry run for people and scripts: without bodies, and without the values of sensitive fields. */
export interface ToldDryRun extends Omit<DryRun, 'effects' | 'emitted'> {
  readonly letter: string;
  readonly module: string;
  readonly emitted: readonly {
    readonly type: string;
    readonly subject: string;
    readonly id: string;
    readonly data: unknown;
  }[];
  readonly effects: readonly { readonly call: string; readonly on: string; readonly bytes?: number }[];
}

export function tellDryRun(letter: DeadLetter, run: DryRun, listened: Listened): ToldDryRun {
  return {
    letter: letter.id,
    module: letter.module,
    ...run,
    emitted: run.emitted.map(({ type, subject, id, data }) => {
      const secret = sensitiveFields(type, letter.module, listened);
      return { type, subject, id, data: secret.length > 0 ? hide(data, secret) : data };
    }),
    effects: run.effects.map(({ service, call, on, input }) => ({
      call: `${service}:${call}`,
      on,
      ...(input.Body instanceof Uint8Array && { bytes: input.Body.byteLength }),
    })),
  };
}

const WORDS: Readonly<Partial<Record<DryRun['verdict'], string>>> = {
  Handled: 'would be handled',
  Duplicate: 'would be dropped: the ledger knows it as done',
  Retried: 'would fail, and be tried again',
  DeadLettered: 'would be parked again',
  Stale: 'would be passed over: a later one has been handled',
};

export function dryRunLines(run: ToldDryRun, { style }: Output): string[] {
  const { error, emitted, effects, once, log } = run;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.bold(title), ...lines.map((line) => `  ${line}`)];
  return [
    `${style.cyan(run.module)}  the event ${WORDS[run.verdict] ?? run.verdict}. Nothing was changed.`,
    ...(error ? [style.red(`${error.code ?? error.name}: ${error.message}`)] : []),
    ...(error?.stack ? [style.dim(error.stack)] : []),
    ...list(
      `${counted(emitted.length, 'event')} it would emit`,
      emitted.map(({ type, subject, data }) => `${type}  ${subject}  ${JSON.stringify(data)}`),
    ).slice(emitted.length === 0 ? 2 : 0),
    ...list(
      'It would change',
      effects.map(({ call, on, bytes }) => `${call}  ${on}${bytes === undefined ? '' : `  ${bytes} bytes`}`),
    ),
    ...list(
      'once, not run',
      once.map((name) => `${name}  gave undefined`),
    ),
    ...list(
      'log',
      log.map(({ level, message }) => `${level}  ${message}`),
    ),
  ];
}
