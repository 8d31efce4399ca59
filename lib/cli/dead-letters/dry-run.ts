import { randomUUID } from 'node:crypto';
import type { Context as LambdaContext, SQSEvent } from 'aws-lambda';
import { type Envelope, HeadraceError } from '../../contract';
import type { Module } from '../../module';
import type { Handler } from '../../runtime';
import type { Context } from '../../runtime/context';
import { describeError, LETTER } from '../../runtime/dead-letter';
import type { AnyLogic } from '../../runtime/delivery';
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
  /** Calls of `once` that were not made; an earlier attempt's result was returned where there is one. */
  readonly once: readonly { readonly name: string; readonly known: boolean }[];
  /** What it logged. */
  readonly log: readonly { readonly level: string; readonly message: string }[];
}

export interface DryRunOptions {
  readonly module: Pick<Module, 'name' | 'timeoutSeconds'>;
  /** The module's handler, with its logic passed through `watch`. */
  readonly handler: (watch: (logic: AnyLogic) => AnyLogic) => Handler;
  /** Clients of the target: only read from. */
  readonly clients: Pick<Clients, 'dynamodb' | 'eventbridge' | 's3' | 'sfn' | 'sqs'>;
  /** The function's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Name of the ledger's table. */
  readonly ledger: string;
}

/**
 * Runs the event of a letter through its module's logic on this machine. What the runtime reads comes from the target;
 * what it would write is noted and nothing else. What the logic does past its context, such as calling a service with a
 * client of its own, is not held back.
 */
export async function dryRun(letter: DeadLetter, options: DryRunOptions): Promise<DryRun> {
  const { module, env } = options;
  const recording = new RecordingClients(options.clients);
  const known = await knownEffects(letter, options, recording);
  const seen: Seen = { once: [], log: [], verdicts: [] };
  const handler = options.handler((logic) => watched(logic, seen, known));
  const platform: Platform = {
    now: () => Date.now(),
    random: () => Math.random(),
    uuid: () => randomUUID(),
    sleep: wait,
    env: (name) => env[name],
    log: () => logInto(seen),
    count: (_, verdicts) => seen.verdicts.push(...verdicts),
    clients: recording.clients,
  };
  await runOn(platform, () => call(handler, letter, module));
  return outcome(seen, recording.effects);
}

interface Seen {
  readonly once: { name: string; known: boolean }[];
  readonly log: { level: string; message: string }[];
  readonly verdicts: Verdict[];
  error?: unknown;
}

/** Results that earlier attempts have left in the ledger. */
async function knownEffects(
  { module, event }: DeadLetter,
  { ledger }: DryRunOptions,
  recording: RecordingClients,
): Promise<ReadonlyMap<string, unknown>> {
  if (!event) return new Map();
  const { once } = await recording.itemOf(ledger, `${module}#${event.id}`);
  return new Map(Object.entries(JSON.parse(once?.S ?? '{}') as Record<string, unknown>));
}

/** The logic with a `once` that runs nothing. */
function watched(logic: AnyLogic, seen: Seen, known: ReadonlyMap<string, unknown>): AnyLogic {
  const once: Context['once'] = async <T>(name: string) => {
    seen.once.push({ name, known: known.has(name) });
    return known.get(name) as T;
  };
  return async (event, context) => {
    try {
      return await logic(event, Object.create(context, { once: { value: once } }) as Context);
    } catch (error) {
      seen.error = error;
      throw error;
    }
  };
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

function logInto({ log }: Seen): Log {
  const note =
    (level: string) =>
    (message: unknown): void => {
      log.push({ level, message: typeof message === 'string' ? message : JSON.stringify(message) });
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
