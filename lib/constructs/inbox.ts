import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { RulePlan } from '../module';
import type { QueueSettings } from '../module/queue-settings';
import { acknowledge } from './acknowledge';
import type { PipelineParts } from './work-function';

export interface InboxProps {
  /** Whose inbox it is. */
  readonly name: string;
  /** What fills it. */
  readonly rules: readonly RulePlan[];
  readonly settings: QueueSettings;
  readonly parts: Pick<PipelineParts, 'bus' | 'stores'>;
}

/**
 * The receiving half of a subscription: rules, the queue they fill, and the dead letter queue for whatever cannot be
 * delivered or handled.
 */
export class Inbox extends Construct {
  public readonly queue: Queue;
  public readonly deadLetterQueue: Queue;
  public readonly rules: readonly Rule[];

  constructor(scope: Construct, id: string, props: InboxProps) {
    super(scope, id);
    const { settings } = props;
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.seconds(settings.deadLetterRetentionSeconds),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.seconds(settings.retentionSeconds),
      visibilityTimeout: Duration.seconds(settings.visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: settings.maxReceiveCount },
    });
    acknowledge(this.deadLetterQueue, {
      'Serverless-SQSRedrivePolicy': 'It is the dead letter queue of the queue beside it.',
    });
    this.rules = props.rules.map((plan, i) => this.addRule(i, plan, props));
  }

  /** Both queues accept messages from this rule alone: the grants carry aws:SourceArn. */
  private addRule(i: number, plan: RulePlan, { name, parts }: Pick<InboxProps, 'name' | 'parts'>): Rule {
    const rule = new Rule(this, i === 0 ? 'Rule' : `Rule${i + 1}`, {
      description: `Events for ${name}`,
      eventBus: this.busOf(plan, parts.bus),
      eventPattern: patternOf(plan, parts),
    });
    rule.addTarget(
      new SqsQueue(this.queue, {
        deadLetterQueue: this.deadLetterQueue,
        retryAttempts: 185,
        maxEventAge: Duration.hours(24),
      }),
    );
    return rule;
  }

  private busOf({ bus }: RulePlan, own: EventBus): EventBus | IEventBus {
    if (bus === 'pipeline') return own;
    const id = 'DefaultBus';
    return (this.node.tryFindChild(id) as IEventBus | undefined) ?? EventBus.fromEventBusName(this, id, 'default');
  }
}

function patternOf({ pattern, store }: RulePlan, { stores }: InboxProps['parts']) {
  const bucket = store === undefined ? undefined : stores.get(store)?.bucket.bucketName;
  const detail: Record<string, unknown> = {
    ...pattern.detail,
    ...(bucket && { bucket: { ...bucketFilter(pattern.detail), name: [bucket] } }),
  };
  return {
    ...(pattern.source && { source: [...pattern.source] }),
    detailType: [...pattern['detail-type']],
    ...(Object.keys(detail).length > 0 && { detail }),
  };
}

const bucketFilter = (detail: { readonly bucket?: object } | undefined): object => detail?.bucket ?? {};
