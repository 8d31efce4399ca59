import { EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Module, type RulePlan, ruleFor } from '../module';
import { acknowledge } from './acknowledge';
import { type QueueSettings, queueSettings } from './queue-settings';
import type { PipelineParts } from './work-function';

export interface InboxProps {
  readonly module: Module;
  readonly parts: Pick<PipelineParts, 'bus' | 'stores' | 'contracts'>;
  /** @default - derived from the module */
  readonly queues?: Partial<QueueSettings>;
}

/**
 * The receiving half of a subscription: a rule for each entry of the module's `on`, the queue they fill, and the dead
 * letter queue for whatever cannot be delivered or handled.
 *
 * @throws HeadraceError HR601 when the queues would lose or repeat messages
 */
export class Inbox extends Construct {
  public readonly queue: Queue;
  public readonly deadLetterQueue: Queue;
  public readonly rules: readonly Rule[];
  public readonly settings: QueueSettings;

  constructor(scope: Construct, id: string, { module, parts, queues }: InboxProps) {
    super(scope, id);
    this.settings = queueSettings(module, queues);
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.seconds(this.settings.deadLetterRetentionSeconds),
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.seconds(this.settings.retentionSeconds),
      visibilityTimeout: Duration.seconds(this.settings.visibilitySeconds),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: this.settings.maxReceiveCount },
    });
    acknowledge(this.deadLetterQueue, {
      'Serverless-SQSRedrivePolicy': 'It is the dead letter queue of the queue beside it.',
    });
    const plans = module.on.map((entry) => ruleFor(entry, parts.contracts));
    this.rules = plans.map((plan, i) => this.addRule(i, { module, plan, parts }));
  }

  /** Both queues accept messages from this rule alone: the grants carry aws:SourceArn. */
  private addRule(i: number, from: Pick<InboxProps, 'module' | 'parts'> & { readonly plan: RulePlan }): Rule {
    const { module, plan, parts } = from;
    const rule = new Rule(this, i === 0 ? 'Rule' : `Rule${i + 1}`, {
      description: `Events for ${module.name}`,
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
