import { randomUUID } from 'node:crypto';
import type { Context as LambdaContext, SQSEvent } from 'aws-lambda';
import { type Envelope, HeadraceError } from '../../contract';
import type { Module } from '../../module';
import type { Handler } from '../../runtime';
import { describeError, LETTER } from '../../runtime/dead-letter';
import type { Verdict } from '../../runtime/metrics';
import { type Log, type Platform, runOn } from '../../runtime/platform';
import type { Clients } from '../stage';
import type { DeadLetter, LetterError } from './letter';
import { type Effect, RecordingClients } from './recording-clients';

/** What would become of the event in a letter. */
export interface DryRun {
  /** `Handled`, `Duplicate` (the ledger knows it as done), `Retried`, `DeadLettered`, ... */
  readonly verdict: Verdict;
  /** Why it would not be handled. */
  readonly error?: LetterError;
  /** Events it would put on the bus. */
  readonly emitted: readonly Envelope[];
  /** What else it would change: objects, runs, items; the message itself apart. */
  readonly effects: readonly Effect[];
  /** Effects of `once` that were not run, and gave undefined: no earlier attempt has left a result. */
  readonly once: readonly string[];
  /** What it logged. */
  readonly log: readonly { readonly level: string; readonly message: string }[];
}

export interface DryRunOptions {
  readonly module: Pick<Module, 'name' | 'timeoutSeconds'>;
  /** The handler as it is deployed. */
  readonly handler: Handler;
  /** Clients of the target: only read from. */
  readonly clients: Pick<Clients, 'dynamodb' | 'eventbridge' | 's3' | 'sfn' | 'sqs'>;
  /** The function's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the event of a letter through its module's logic on this machine. What the runtime reads comes from the target;
 * what it would write is noted and nothing else. What the logic does past its context, such as calling a service with a
 * client of its own, is not held back.
 */
export async function dryRun(letter: DeadLetter, options: DryRunOptions): Promise<DryRun> {
  const { module, env } = options;
  const recording = new RecordingClients(options.clients);
  const seen: Seen = { once: [], log: [], verdicts: [] };
  const platform: Platform = {
    now: () => Date.now(),
    random: () => Math.random(),
    uuid: () => randomUUID(),
    sleep: wait,
    env: (name) => env[name],
    log: () => logInto(seen),
    count: (_, verdicts) => seen.verdicts.push(...verdicts),
    clients: recording.clients,
    effect: async (name) => void seen.once.push(name),
  };
  await runOn(platform, () => call(options.handler, letter, module));
  return outcome(seen, recording.effects);
}

interface Seen {
  readonly once: string[];
  readonly log: { level: string; message: string }[];
  readonly verdicts: Verdict[];
  error?: unknown;
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    // It must not keep the command alive.
    timer.unref();
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function logInto(seen: Seen): Log {
  const { log } = seen;
  const note =
    (level: string) =>
    (message: unknown, error?: unknown): void => {
      log.push({ level, message: typeof message === 'string' ? message : JSON.stringify(message) });
      if (error instanceof Error) seen.error = error;
    };
  return { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') } as Log;
}

async function call(
  handler: Handler,
  letter: DeadLetter,
  { timeoutSeconds, name }: DryRunOptions['module'],
): Promise<void> {
  const end = Date.now() + timeoutSeconds * 1000;
  const now = String(Date.now());
  const event = {
    Records: [
      {
        messageId: letter.id,
        receiptHandle: 'dry-run',
        body: letter.body,
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: now,
          SenderId: 'dry-run',
          ApproximateFirstReceiveTimestamp: now,
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: '',
        awsRegion: '',
      },
    ],
  } satisfies SQSEvent;
  const lambda = {
    functionName: name,
    awsRequestId: 'dry-run',
    getRemainingTimeInMillis: () => end - Date.now(),
  } as LambdaContext;
  await handler(event, lambda);
}

function outcome(seen: Seen, all: readonly Effect[]): DryRun {
  const verdict = seen.verdicts[0];
  if (verdict === undefined) {
    throw new HeadraceError('HR517', {
      what: 'The handler came to no end with the event.',
      next: 'Run it again with --debug.',
    });
  }
  const parked = all.find(({ service, call: name }) => service === 'sqs' && name === 'SendMessage');
  const error = seen.error === undefined ? errorOf(parked) : describeError(seen.error);
  return {
    verdict,
    ...(error && { error }),
    emitted: all.filter(({ service }) => service === 'eventbridge').flatMap(envelopesOf),
    effects: all.filter(
      ({ service, on }) => (service === 's3' || service === 'sfn' || service === 'dynamodb') && on !== '',
    ),
    once: seen.once,
    log: seen.log,
  };
}

function envelopesOf({ input }: Effect): Envelope[] {
  const entries = input.Entries as readonly { Detail?: string }[];
  return entries.map(({ Detail = '{}' }) => JSON.parse(Detail) as Envelope);
}

function errorOf(parked: Effect | undefined): LetterError | undefined {
  const attributes = parked?.input.MessageAttributes as Record<string, { StringValue?: string }> | undefined;
  const text = attributes?.[LETTER.error]?.StringValue;
  return text === undefined ? undefined : (JSON.parse(text) as LetterError);
}
