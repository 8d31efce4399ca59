import { counted } from '../counted';
import { dateAndTime, duration } from '../describe-event';
import type { Output, Style } from '../output';
import { cut } from '../table';
import type { ListedRun } from './outcomes';
import type { ResumedRun } from './resume-all';
import type { RunDetails } from './show-run';
import type { StateRecord } from './timeline';

export function runListLines(runs: readonly ListedRun[], out: Output): string[] {
  if (runs.length === 0) return ['No runs yet.'];
  const rows = runs.map((run) => [
    run.id,
    run.endedOn === undefined
      ? { text: run.status.toLowerCase(), paint: paintOf(run.status, out.style) }
      : { text: run.endedOn, paint: out.style.yellow },
    dateAndTime(run.started),
    duration(run.seconds * 1000),
  ]);
  return [
    ...out.table(['run', 'status', 'started', 'took'], rows),
    '',
    out.style.dim(`npx headrace runs show ${runs[0]?.id ?? '<run>'}`),
  ];
}

export function runLines(run: RunDetails, out: Output): string[] {
  const { style } = out;
  const head = `${style.bold(run.id)}  ${paintOf(run.status, style)(run.status.toLowerCase())}  ${dateAndTime(run.started)}  ${duration(run.seconds * 1000)}`;
  const cause = run.event ? [style.dim(`started by ${run.event.type} ${run.event.id}`)] : [];
  const rows = run.states.map((state) => [
    state.name,
    { text: state.status, paint: paintOf(state.status, style) },
    duration(state.seconds * 1000),
    notesOn(state),
  ]);
  const failures = run.states.flatMap((state) =>
    [...new Set(state.failures.map(({ error, cause: why }) => `${error}: ${why}`))].map(
      (text) => `  ${state.name}  ${cut(text, Math.max(60, out.width * 3))}`,
    ),
  );
  return [
    head,
    ...cause,
    '',
    ...out.table(['state', 'status', 'took', ''], rows),
    ...(failures.length > 0 ? ['', style.dim('errors on the way'), ...failures] : []),
    ...(run.status === 'FAILED' ? ['', style.dim(`npx headrace runs resume ${run.id}`)] : []),
  ];
}

/** What was done with every run that had failed. */
export function resumedLines(runs: readonly ResumedRun[], dryRun: boolean, out: Output): string[] {
  if (runs.length === 0) return ['No run waits to be resumed.'];
  const rows = runs.map(({ run, resumed, skipped }) => [
    run,
    skipped === undefined
      ? { text: wayOf(dryRun, resumed?.way), paint: out.style.green }
      : { text: `left alone: ${skipped}`, paint: out.style.yellow },
  ]);
  return out.table(['run', ''], rows);
}

function wayOf(dryRun: boolean, way: string | undefined): string {
  if (dryRun) return 'would be resumed';
  return way === 'redrive' ? 'goes on from the state that failed' : 'goes on; what is finished returns at once';
}

function notesOn(state: RunDetails['states'][number]): string {
  const total = state.map?.total ?? state.items;
  const notes = total === undefined ? callNotes(state) : itemNotes(state, total);
  return [state.outcome, ...notes].filter((note) => note !== undefined && note !== '').join(', ');
}

const callNotes = ({ attempts }: StateRecord) => [attempts > 1 ? `${attempts} attempts` : ''];

function itemNotes({ turns = 0, map, failures }: RunDetails['states'][number], total: number): string[] {
  const { failed = 0, running = 0 } = map ?? {};
  return [
    counted(total, 'item'),
    turns > total ? `${turns} turns` : '',
    failed > 0 ? `${failed} failed` : '',
    running > 0 ? `${running} running` : '',
    failures.length > 0 ? `${failures.length} failed calls` : '',
  ];
}

function paintOf(status: string, style: Style): (text: string) => string {
  if (/^(SUCCEEDED|done)$/.test(status)) return style.green;
  if (/^(RUNNING|running)$/.test(status)) return style.yellow;
  return style.red;
}
