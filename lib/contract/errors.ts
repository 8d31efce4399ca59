/**
 * Every code Headrace can raise, with its title. A code is never reused; each has a row in `docs/ERRORS.md`.
 * Areas: 1 contracts and events, 2 modules and the graph, 3 runtime, 4 targets, 5 command line, 6 constructs, 7 testkit.
 */
export const ERROR_CODES = {
  HR101: 'Invalid event contract',
  HR102: 'Event data does not fit its contract',
  HR103: 'Not a Headrace event',
  HR104: 'Event too large',
  HR105: 'Unknown event type',
  HR106: 'Unknown contract version',
  HR107: 'Two contracts claim one event type and version',
  HR201: 'Invalid module declaration',
  HR202: 'Module folder is incomplete',
  HR203: 'Two modules have one name',
  HR204: 'Invalid workflow declaration',
  HR205: 'A family without members is listened to',
  HR206: 'Modules feed each other in a circle',
  HR301: 'A setting is missing in the function environment',
  HR302: 'Module emitted an event it does not declare',
  HR303: 'Publishing failed for some events',
  HR305: 'This worker lost its lease',
  HR306: 'Object not found in the store',
  HR307: 'Object differs from its recorded checksum',
  HR308: 'Object URI is not in this store',
  HR309: 'Chain of events is too long',
  HR310: 'Event is too old to be told from a duplicate',
  HR311: 'Too large for the state of a run',
  HR312: 'A repeated step does not come to an end',
  HR320: 'An earlier event of the subject is missing',
  HR321: 'Event has no place in its sequence',
  HR322: 'The spool cannot be written',
  HR323: 'A file of the spool cannot be read',
  HR324: 'A file of the spool is for another bus',
  HR330: 'Results of once are too large',
  HR401: 'Python is missing or too old',
  HR402: 'Installing the local target failed',
  HR403: 'No free port',
  HR404: 'Not enough disk space',
  HR405: 'The local target did not become ready',
  HR406: 'A local target of an earlier run is in the way',
  HR407: 'The endpoint is not an AWS-compatible target',
  HR408: 'The local target stopped',
  HR409: 'The cache folder is not writable',
  HR410: 'Unknown target',
  HR501: 'Wrong use of the command line',
  HR502: 'The pipeline is not deployed on this target',
  HR503: 'Deployment failed',
  HR504: 'The run failed',
  HR505: 'Nothing found',
  HR506: 'Not a Headrace project',
  HR507: 'Timed out waiting for the pipeline',
  HR508: 'No usable AWS credentials or region',
  HR509: 'AWS denied access',
  HR510: 'The target cannot be reached',
  HR511: 'The module has left the project',
  HR512: 'A queue of the module is gone',
  HR513: 'The queue does not take the letters',
  HR514: 'The id means several dead letters',
  HR515: 'The dead letter is in other hands',
  HR516: 'No correction of this dead letter',
  HR517: 'The dry run cannot begin',
  HR520: 'Replay window is out of reach',
  HR521: 'No such subscriber to replay to',
  HR522: 'The subscriber hears none of the events',
  HR523: 'The pipeline keeps no journal',
  HR524: 'The replay stands still',
  HR525: 'A page of the journal cannot be read',
  HR526: 'The queue did not accept a message',
  HR601: 'Invalid subscription settings',
  HR602: 'Bundling a handler failed',
  HR603: 'A name is reserved for the journal',
  HR701: 'A rule was broken in a simulation',
  HR702: 'A simulated pipeline does not come to rest',
  HR703: 'A command that the simulator does not know',
  HR704: 'An expression that the simulated table does not know',
  HR705: 'Not a part of a simulated pipeline',
  HR706: 'A scenario fails under faults',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorDetails {
  /** What happened, one sentence. */
  readonly what: string;
  /** The value that was received. */
  readonly got?: unknown;
  /** What would have been accepted. */
  readonly allowed?: string;
  /** What the reader should do next. */
  readonly next: string;
  readonly cause?: unknown;
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

/** Base of every error Headrace raises: a code from {@link ERROR_CODES} and a message that says what to do. */
export class HeadraceError extends Error {
  public readonly code: ErrorCode;
  public readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails) {
    const got = details.got === undefined ? '' : ` Got ${show(details.got)}.`;
    const allowed = details.allowed === undefined ? '' : ` Allowed: ${details.allowed}.`;
    super(`[${code}] ${details.what}${got}${allowed} ${details.next}`, { cause: details.cause });
    this.name = 'HeadraceError';
    this.code = code;
    this.details = details;
  }
}

/**
 * Thrown by a module for input that no retry can mend. The message goes to the dead letter queue at once,
 * with this reason; its siblings in the batch are handled as usual.
 */
export class NonRetriable extends Error {
  public readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'NonRetriable';
    this.reason = reason;
  }
}
