/** Names of the environment variables the constructs set and the runtime reads. */
export const ENV = {
  bus: 'HEADRACE_BUS',
  ledger: 'HEADRACE_LEDGER',
  queueUrl: 'HEADRACE_QUEUE_URL',
  deadLetterQueueUrl: 'HEADRACE_DEAD_LETTER_QUEUE_URL',
  stateMachineArn: 'HEADRACE_STATE_MACHINE_ARN',
  /** Longest chain of events that is handled. */
  maxHops: 'HEADRACE_MAX_HOPS',
  /** Version of the deployed code, kept with every dead letter. */
  codeVersion: 'HEADRACE_CODE_VERSION',
  store: (name: string) => `HEADRACE_STORE_${name.toUpperCase().replaceAll('-', '_')}`,
} as const;

const pascal = (name: string) => name.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());

/** Name of the journal: of its store, its function and its queue. No module may have or use it. */
export const JOURNAL = 'journal';

/** Keys of the stack outputs by which the command line finds a deployed pipeline. */
export const OUTPUT = {
  bus: 'Bus',
  ledger: 'Ledger',
  store: (name: string) => `Store${pascal(name)}`,
  queue: (module: string) => `Queue${pascal(module)}`,
  deadLetterQueue: (module: string) => `DeadLetterQueue${pascal(module)}`,
  function: (name: string) => `Function${pascal(name)}`,
  url: (module: string) => `Url${pascal(module)}`,
  stateMachine: (workflow: string) => `StateMachine${pascal(workflow)}`,
} as const;

/**
 * Longest chain of events, unless the Pipeline says otherwise: as long as Lambda's own detection of loops, which does
 * not see the bus (AWS Lambda developer guide, "Use Lambda recursive loop detection").
 */
export const DEFAULT_MAX_HOPS = 15;

/** Beginning of the ledger keys under which a consumer's order of events is kept. */
export const orderKey = (consumer: string, scope: string): string => `${consumer}:order#${scope}`;

/** `train-digits` as a construct id: `TrainDigits`. */
export const constructId = pascal;
