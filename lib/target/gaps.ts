/** One thing the local target does not do, or does differently, that Headrace relies on. */
export interface Gap {
  readonly area:
    | 'EventBridge'
    | 'SQS'
    | 'Lambda'
    | 'Step Functions'
    | 'DynamoDB'
    | 'S3'
    | 'CloudWatch'
    | 'CloudFormation'
    | 'IAM';
  /** What AWS does. */
  readonly feature: string;
  /** What happens on the local target instead. */
  readonly there: string;
  /** What Headrace does about it. */
  readonly headrace: string;
}

/** Every difference that matters to Headrace, seen on MiniStack 1.5.33. The only such list. */
export const GAPS: readonly Gap[] = [
  {
    area: 'EventBridge',
    feature: 'a rule target has a dead letter queue',
    there: 'an event that cannot be delivered is dropped with a log line',
    headrace: 'rules point at queues only, the hop that hardly fails; everything else is behind a queue',
  },
  {
    area: 'EventBridge',
    feature: 'a rule target is retried for up to 24 hours',
    there: 'one attempt',
    headrace: 'same: retries happen behind the queue, by visibility timeout and redrive policy',
  },
  {
    area: 'EventBridge',
    feature: 'the bus policy decides who may put events',
    there: 'stored, never enforced',
    headrace: 'the policy is deployed all the same; only AWS enforces it',
  },
  {
    area: 'EventBridge',
    feature: 'events over the size limit are refused',
    there: 'any size is accepted',
    headrace: 'publish refuses an event over the limit before it is sent, on every target',
  },
  {
    area: 'EventBridge',
    feature: 'a malformed entry fails alone, with its own error code',
    there: 'malformed entries are accepted and delivered as they are',
    headrace: 'publish validates each event against its contract; consume refuses what is no Headrace event',
  },
  {
    area: 'EventBridge',
    feature: 'archives are made by CloudFormation',
    there: 'AWS::Events::Archive is an unknown resource type, and the stack fails',
    headrace: 'the stack has no archive: nothing relies on one',
  },
  {
    area: 'SQS',
    feature: 'StartMessageMoveTask moves dead letters back',
    there: 'the call does not exist',
    headrace: 'redrive receives, sends and deletes message by message, on every target',
  },
  {
    area: 'Lambda',
    feature: 'MaximumBatchingWindow fills batches over time',
    there: 'stored and ignored: messages come at once, batches are smaller',
    headrace: 'handlers are right for any batch size; throughput figures of small batches are not those of AWS',
  },
  {
    area: 'Lambda',
    feature: 'a malformed batch failure report fails the whole batch',
    there: 'the batch counts as done and its messages are deleted',
    headrace: 'consume builds the report from the ids it received',
  },
  {
    area: 'Lambda',
    feature: 'an event source on a queue with a too short visibility timeout is refused',
    there: 'accepted',
    headrace: 'the visibility timeout follows from the function timeout, at synth',
  },
  {
    area: 'Lambda',
    feature: 'alias weights split traffic',
    there: 'all calls go to the main version',
    headrace: 'nothing relies on weights: a model version is chosen by the pipeline, not by an alias',
  },
  {
    area: 'Lambda',
    feature: 'a function URL checks IAM signatures',
    there: 'an unsigned call is refused, but no policy is evaluated by default',
    headrace: 'calls are signed on every target; only AWS checks who may call',
  },
  {
    area: 'Lambda',
    feature: 'memory and payload limits',
    there: 'not enforced',
    headrace: 'payloads are references; memory is to be measured on AWS',
  },
  {
    area: 'Lambda',
    feature: 'the runtime has the AWS SDK',
    there: 'it does not',
    headrace: 'bundles contain the SDK, on every target',
  },
  {
    area: 'Step Functions',
    feature: 'Retry and Catch match the name of the error a function threw',
    there: 'every thrown error is Runtime.HandlerError',
    headrace: 'an expected outcome is a returned value and a Choice; only faults are thrown',
  },
  {
    area: 'Step Functions',
    feature: 'RedriveExecution resumes a failed run',
    there: 'the call does not exist',
    headrace: 'every step finds its recorded outcome in the ledger: resuming is starting again under the same run id',
  },
  {
    area: 'Step Functions',
    feature: 'running executions survive',
    there: 'a restart of the target ends them',
    headrace: '`npx headrace up` starts them again under their run id; what was finished returns at once',
  },
  {
    area: 'Step Functions',
    feature: 'Retry honours MaxDelaySeconds and JitterStrategy',
    there: 'both are ignored; interval and backoff rate are honoured',
    headrace: 'set for AWS; locally the waits grow without a cap and without jitter',
  },
  {
    area: 'Step Functions',
    feature: 'TimeoutSeconds of the machine and HeartbeatSeconds of a task',
    there: 'ignored; TimeoutSeconds of a task works',
    headrace: 'every task has its own TimeoutSeconds',
  },
  {
    area: 'Step Functions',
    feature: 'a Distributed Map batches items and writes results to S3',
    there: 'ItemBatcher and ResultWriter are ignored; results come inline',
    headrace:
      'shards are items of their own, and each writes its own result to S3; what they return is one word, and AWS has it written to the runs store',
  },
  {
    area: 'Step Functions',
    feature: 'definitions are checked and payloads limited to 256 KiB',
    there: 'neither',
    headrace:
      'definitions are compiled from checked plans; what starts a run and every listed item is measured first, on every target (HR311)',
  },
  {
    area: 'DynamoDB',
    feature: 'a template turns on TTL and point-in-time recovery',
    there: 'both settings are ignored in templates',
    headrace:
      'nothing waits for a deletion, which takes up to days on AWS too; locally items stay until the state is dropped',
  },
  {
    area: 'S3',
    feature: 'a presigned URL expires and cannot be altered',
    there: 'expired and altered URLs are answered',
    headrace: 'nothing relies on a presigned URL',
  },
  {
    area: 'CloudWatch',
    feature: 'alarms are re-evaluated as time passes, on service metrics too',
    there:
      'only a new value of an own metric re-evaluates; alarms on metric math never; SQS, Events and States have no metrics',
    headrace: 'alarms are deployed all the same; only AWS raises them',
  },
  {
    area: 'CloudFormation',
    feature: 'unknown properties, references and missing capabilities are refused',
    there: 'accepted in silence',
    headrace: 'templates come from typed CDK constructs',
  },
  {
    area: 'IAM',
    feature: 'policies are enforced',
    there: 'not by default, and between services never',
    headrace: 'each policy is computed from the declaration; only AWS enforces it',
  },
];

/** The table as text, one block a gap, for a terminal. */
export function describeGaps(gaps: readonly Gap[] = GAPS): string {
  if (gaps.length === 0) return 'No known gaps.';
  return gaps
    .map(({ area, feature, there, headrace }) => `${area}: ${feature}\n  there     ${there}\n  headrace  ${headrace}`)
    .join('\n\n');
}

/** The table in Markdown, for the documentation. */
export function gapsTable(gaps: readonly Gap[] = GAPS): string {
  const rows = gaps.map(({ area, feature, there, headrace }) => `| ${area} | ${feature} | ${there} | ${headrace} |`);
  return ['| area | on AWS | on the local target | what Headrace does |', '|---|---|---|---|', ...rows].join('\n');
}
