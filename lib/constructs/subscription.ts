import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ENV, type Module, OUTPUT, ruleFor } from '../module';
import { type QueueSettings, queueSettings } from '../module/queue-settings';
import { acknowledge } from './acknowledge';
import { SubscriptionAlarms } from './alarms';
import { Inbox } from './inbox';
import { output } from './outputs';
import { mayConsume } from './permissions';
import { type PipelineParts, WorkFunction } from './work-function';

export interface SubscriptionProps {
  readonly module: Module;
  readonly parts: PipelineParts;
  /** @default - derived from the module: see QueueSettings */
  readonly queues?: Partial<QueueSettings>;
  /** Told when one of the alarms goes off. @default - alarms are only shown */
  readonly alarmAction?: IAlarmAction;
  /** Further variables of the function's environment. @default - none */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further permissions of the function. @default - none */
  readonly statements?: readonly PolicyStatement[];
}

/** Age of a waiting message that nobody should have to accept, seconds; slower modules get more. */
const MAX_AGE_SECONDS = 900;

/**
 * A module, subscribed: rules, queue, dead letter queue, function, event source and alarms.
 *
 * An event that its rules match reaches the function at least once, or its dead letter queue.
 */
export class Subscription extends Construct {
  public readonly queue: Queue;
  public readonly deadLetterQueue: Queue;
  public readonly rules: readonly Rule[];
  public readonly function: IFunction;
  public readonly alarms: SubscriptionAlarms;

  constructor(scope: Construct, id: string, props: SubscriptionProps) {
    super(scope, id);
    const { module, parts, queues, alarmAction, environment = {}, statements = [] } = props;
    const settings = queueSettings(module, queues);
    const rules = module.on.map((entry) => ruleFor(entry, parts.contracts));
    const inbox = new Inbox(this, 'Inbox', { name: module.name, rules, settings, parts });
    this.queue = inbox.queue;
    this.deadLetterQueue = inbox.deadLetterQueue;
    this.rules = inbox.rules;
    const worker = new WorkFunction(this, 'Work', {
      work: module,
      parts,
      environment: {
        [ENV.queueUrl]: this.queue.queueUrl,
        [ENV.deadLetterQueueUrl]: this.deadLetterQueue.queueUrl,
        ...environment,
      },
      statements: [...mayConsume(this.queue, this.deadLetterQueue), ...statements],
    });
    this.function = worker.function;
    // Not SqsEventSource: it grants a second time, in a policy of its own.
    const source = new EventSourceMapping(this, 'EventSource', {
      target: this.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: module.batchSize,
      maxConcurrency: module.concurrency,
      reportBatchItemFailures: true,
    });
    acknowledge(source, {
      'Serverless-LambdaEventSourceMappingDestination':
        'For a queue, failed messages go to the dead letter queue by its redrive policy; destinations are for streams.',
    });
    this.alarms = new SubscriptionAlarms(this, 'Alarms', {
      name: module.name,
      queue: this.queue,
      deadLetterQueue: this.deadLetterQueue,
      function: this.function,
      maxAgeSeconds: Math.max(MAX_AGE_SECONDS, 2 * settings.visibilitySeconds),
      ...(alarmAction && { action: alarmAction }),
    });
    this.addOutputs(module);
  }

  private addOutputs({ name, url }: Module): void {
    output(this, OUTPUT.queue(name), this.queue.queueUrl);
    output(this, OUTPUT.deadLetterQueue(name), this.deadLetterQueue.queueUrl);
    output(this, OUTPUT.function(name), this.function.functionName);
    if (!url) return;
    const made = this.function.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    output(this, OUTPUT.url(name), made.url);
  }
}
