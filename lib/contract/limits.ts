/** One limit that an event, a message, an item or a run can meet. */
export interface Limit {
  readonly service: string;
  readonly what: string;
  readonly value: number;
  readonly unit:
    | 'bytes'
    | 'entries'
    | 'seconds'
    | 'days'
    | 'events'
    | 'items'
    | 'characters'
    | 'receives'
    | 'invocations';
  /** Whose limit it is: the page of the AWS documentation, or our reason. */
  readonly source: string;
  /** What keeps Headrace within it. */
  readonly kept: string;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const DAY = 24 * 3600;

const STATES = 'docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html';
const SQS = 'docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html';

/**
 * Every limit Headrace knows, and what keeps it. Where a limit is met, the value is read from here.
 * `docs/RELIABILITY.md` shows this table; a test compares them.
 */
export const LIMITS = {
  requestBytes: {
    service: 'EventBridge',
    what: 'one PutEvents request, and one event',
    value: MIB,
    unit: 'bytes',
    source: 'docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html; 1 MB since 2026-01-29',
    kept: '`publish` fills requests up to 1,000,000 bytes',
  },
  requestEntries: {
    service: 'EventBridge',
    what: 'entries of one PutEvents request',
    value: 10,
    unit: 'entries',
    source: 'docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html',
    kept: '`publish` sends ten a request',
  },
  eventBytes: {
    service: 'Headrace',
    what: 'one event with its envelope',
    value: 240 * KIB,
    unit: 'bytes',
    source: 'an event may start a run, and has to fit the state of Step Functions',
    kept: 'HR104, before it is sent',
  },
  messageBytes: {
    service: 'SQS',
    what: 'one message with its attributes, and one batch',
    value: MIB,
    unit: 'bytes',
    source: SQS,
    kept: 'events are smaller; the notes of a dead letter are cut to the room its body leaves',
  },
  messageEntries: {
    service: 'SQS',
    what: 'messages of one batch call',
    value: 10,
    unit: 'entries',
    source: 'docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-batch-api-actions.html',
    kept: 'batches of ten; `batchSize` above is refused (HR201, HR601)',
  },
  visibilitySeconds: {
    service: 'SQS',
    what: 'visibility timeout',
    value: 12 * 3600,
    unit: 'seconds',
    source: SQS,
    kept: 'HR601 at synthesis',
  },
  retentionSeconds: {
    service: 'SQS',
    what: 'retention of a message',
    value: 14 * DAY,
    unit: 'seconds',
    source: SQS,
    kept: 'HR601 at synthesis',
  },
  receives: {
    service: 'SQS',
    what: 'maxReceiveCount of a redrive policy',
    value: 1000,
    unit: 'receives',
    source: 'docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html',
    kept: 'HR601 at synthesis; attempts are counted in the ledger, not by SQS',
  },
  asyncBytes: {
    service: 'Lambda',
    what: 'payload of an asynchronous call',
    value: MIB,
    unit: 'bytes',
    source: 'docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html; 1 MB since 2025-10',
    kept: 'nothing calls a function asynchronously: a queue stands before each',
  },
  timeoutSeconds: {
    service: 'Lambda',
    what: 'one invocation',
    value: 900,
    unit: 'seconds',
    source: 'docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
    kept: 'HR201; longer work is repeated in slices (`until`)',
  },
  eventSourceConcurrency: {
    service: 'Lambda',
    what: 'MaximumConcurrency of a queue, from 2',
    value: 1000,
    unit: 'invocations',
    source: 'docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html',
    kept: 'HR201, HR204, HR601',
  },
  itemBytes: {
    service: 'DynamoDB',
    what: 'one item, so one record of the ledger',
    value: 400 * KIB,
    unit: 'bytes',
    source: 'docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html',
    kept: 'an outbox above 350 KiB is refused before anything is written',
  },
  stateBytes: {
    service: 'Step Functions',
    what: 'input and output of a state, a task or an execution',
    value: 256 * KIB,
    unit: 'bytes',
    source: STATES,
    kept: 'HR311: what starts a run, and every item a step lists, is measured first; results lie in the stores',
  },
  historyEvents: {
    service: 'Step Functions',
    what: 'history of one execution',
    value: 25_000,
    unit: 'events',
    source: 'docs.aws.amazon.com/step-functions/latest/dg/bp-history-limit.html',
    kept: 'a repeated step goes on in a new execution after each chapter; HR204 for a plan too long; HR312 for a step that never ends',
  },
  mapItems: {
    service: 'Step Functions',
    what: 'items of one distributed Map',
    value: 100_000_000,
    unit: 'items',
    source: 'docs.aws.amazon.com/step-functions/latest/dg/input-output-itemreader.html, MaxItems',
    kept: 'HR311, before the list is written',
  },
  mapChildren: {
    service: 'Step Functions',
    what: 'children of a distributed Map at once',
    value: 10_000,
    unit: 'items',
    source: STATES,
    kept: 'HR204: `concurrency` of a forEach ends at 1,000',
  },
  nameCharacters: {
    service: 'Step Functions',
    what: 'name of an execution',
    value: 80,
    unit: 'characters',
    source: STATES,
    kept: 'names of workflows end at 40 (HR204), 17 more are the run, the rest its resumptions',
  },
  causeCharacters: {
    service: 'Step Functions',
    what: 'cause of a failure',
    value: 32_768,
    unit: 'characters',
    source: 'docs.aws.amazon.com/step-functions/latest/apireference/API_ExecutionFailedEventDetails.html',
    kept: 'even with every character escaped it fits an event (196,608 bytes)',
  },
  ledgerDays: {
    service: 'Headrace',
    what: 'age up to which a repeated event is known to be one',
    value: 90,
    unit: 'days',
    source: 'longer than a queue, a dead letter queue and a replay may hold an event',
    kept: 'HR310 for older events',
  },
  runDays: {
    service: 'Headrace',
    what: "age of a run's item lists and checkpoints",
    value: 97,
    unit: 'days',
    source: 'longer than the ledger says that a step is done; a week because expired records go with delay',
    kept: 'lifecycle rule of the runs store',
  },
} as const satisfies Record<string, Limit>;

/** The table in Markdown, as `docs/RELIABILITY.md` shows it. */
export function limitsTable(limits: readonly Limit[] = Object.values(LIMITS)): string {
  const rows = limits.map(
    ({ service, what, value, unit, kept, source }) =>
      `| ${service} | ${what} | ${value.toLocaleString('en-US')} ${unit} | ${kept} | ${source} |`,
  );
  return ['| service | of what | limit | what keeps it | source |', '|---|---|---|---|---|', ...rows].join('\n');
}
