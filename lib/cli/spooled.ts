import { HeadraceError } from '../contract';
import type { PublishOptions, SpoolReport } from '../runtime';
import { counted } from './counted';
import type { Output } from './output';
import type { Pipeline } from './pipeline';

export interface LeftOvers {
  /** Absolute path of the spool. */
  readonly spool: string;
  readonly pipeline: Pick<Pipeline, 'clients' | 'bus'>;
  readonly out: Output;
  /** Send nothing. */
  readonly dryRun: boolean;
}

/** What became of the spool, as `--json` shows it. */
export interface SpoolResult {
  /** Events sent; those that would be, in a dry run. */
  readonly sent: number;
  readonly left: readonly { readonly file: string; readonly code: string; readonly problem: string }[];
}

/** Sends what earlier calls left in the spool. Files that are left alone are told to stderr. */
export async function sendLeftOvers({ spool, pipeline, out, dryRun }: LeftOvers): Promise<SpoolResult> {
  const { clients, bus } = pipeline;
  const { sent, left } = dryRun ? await look(spool, bus) : await send(spool, { client: clients.eventbridge, bus });
  if (sent > 0) out.progress(`${dryRun ? 'left to be sent' : 'sent what was left'}: ${counted(sent, 'event')}`);
  for (const { why } of left) out.note(`${why.message}`);
  return { sent, left: left.map(({ file, why }) => ({ file, code: why.code, problem: why.details.what })) };
}

function send(spool: string, options: PublishOptions): Promise<SpoolReport> {
  const { sendSpooled } = require('../runtime/publish') as typeof import('../runtime/publish');
  return sendSpooled(spool, options);
}

async function look(spool: string, bus: string): Promise<SpoolReport> {
  const { readSpool } = require('../runtime/spool') as typeof import('../runtime/spool');
  const { waiting, left } = await readSpool(spool, bus);
  return { sent: waiting.reduce((sum, { events }) => sum + events.length, 0), left };
}

/** The lines of a call that sends only what was left. */
export function spoolLines({ sent, left }: SpoolResult, dryRun: boolean): string[] {
  const verb = dryRun ? 'would be sent' : 'sent';
  return [
    `${counted(sent, 'event')} of earlier calls ${verb}`,
    ...(left.length > 0 ? [`${counted(left.length, 'file')} left alone: see above`] : []),
  ];
}

/** The spool of a call that names no event. @throws HeadraceError HR501 when it names no spool either */
export function onlySpool(spool: string | undefined): string {
  if (spool !== undefined) return spool;
  throw new HeadraceError('HR501', {
    what: 'publish needs the type of an event, or a spool to be sent.',
    allowed: 'publish <type>, publish <type> --spool <folder>, publish --spool <folder>',
    next: 'npx headrace graph shows every event; npx headrace publish --help shows examples.',
  });
}
