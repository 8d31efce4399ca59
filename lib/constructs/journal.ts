import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { Match, type Rule } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DEFAULT_RETRY, ENV, JOURNAL, OUTPUT, type Project, type RulePlan, ruleFor } from '../module';
import type { QueueSettings } from '../module/queue-settings';
import { acknowledge, attributeText, wildcardRule } from './acknowledge';
import { SubscriptionAlarms } from './alarms';
import { Inbox } from './inbox';
import { output } from './outputs';
import { mayTake, mayWriteOnly } from './permissions';
import type { Store } from './store';
import { type PipelineParts, type Work, WorkFunction } from './work-function';

export interface JournalProps {
  readonly project: Pick<Project, 'modules' | 'workflows' | 'contracts'>;
  readonly parts: PipelineParts;
  /** Where the events are kept. */
  readonly store: Store;
  /** Told when one of the alarms goes off. @default - alarms are only shown */
  readonly alarmAction?: IAlarmAction;
}

/** Where events lie in the store. */
const PREFIX = 'events/';

const KEEPER: Work = {
  name: JOURNAL,
  summary: 'Keeps every event of the pipeline in the journal',
  emits: [],
  stores: {},
  retry: DEFAULT_RETRY,
  timeoutSeconds: 10,
  memoryMb: 256,
};

const DAY = 24 * 3600;

/**
 * What fails here is the store, not the event: it is tried a thousand times, a minute apart, which are 16 hours; then the
 * events wait in the dead letter queue for ten days more.
 */
const SETTINGS: QueueSettings = {
  visibilitySeconds: 6 * KEEPER.timeoutSeconds,
  retentionSeconds: 4 * DAY,
  deadLetterRetentionSeconds: 14 * DAY,
  maxReceiveCount: 1000,
};

/** Events of one object, as far as they come together. */
const BATCH_SIZE = 100;
/** How long the first event of a batch waits for others. */
const WINDOW = Duration.seconds(5);
const CONCURRENCY = 5;
/** Age of an event that has not been kept yet, seconds, at which somebody should look. */
const MAX_AGE_SECONDS = 900;

/**
 * Keeps every event: one subscription to all of the pipeline's bus, and to what its modules hear of AWS services. The
 * function may add objects to the journal's store, and nothing else.
 *
 * An event is kept at least once. What lies in the store is what was on the bus, sensitive fields included: who may read
 * the bucket may read them.
 */
export class Journal extends Construct {
  public readonly queue: Queue;
  public readonly deadLetterQueue: Queue;
  public readonly rules: readonly Rule[];
  public readonly function: IFunction;
  public readonly alarms: SubscriptionAlarms;

  constructor(scope: Construct, id: string, { project, parts, store, alarmAction }: JournalProps) {
    super(scope, id);
    const inbox = new Inbox(this, 'Inbox', { name: 'the journal', rules: rulesOf(project), settings: SETTINGS, parts });
    this.queue = inbox.queue;
    this.deadLetterQueue = inbox.deadLetterQueue;
    this.rules = inbox.rules;
    const worker = new WorkFunction(this, 'Work', {
      work: KEEPER,
      parts,
      environment: { [ENV.store(JOURNAL)]: store.bucket.bucketName },
      statements: [mayTake(this.queue), mayWriteOnly(store.bucket, PREFIX)],
      keepsLedger: false,
    });
    this.function = worker.function;
    acknowledge(worker.role, {
      [wildcardRule(`${attributeText(store.bucket, 'Arn')}/${PREFIX}*`)]:
        'Adds objects to the journal under one prefix: their names follow from the time and the events.',
    });
    this.addEventSource();
    this.alarms = new SubscriptionAlarms(this, 'Alarms', {
      name: 'the journal',
      queue: this.queue,
      deadLetterQueue: this.deadLetterQueue,
      function: this.function,
      maxAgeSeconds: MAX_AGE_SECONDS,
      ...(alarmAction && { action: alarmAction }),
    });
    output(this, OUTPUT.queue(JOURNAL), this.queue.queueUrl);
    output(this, OUTPUT.deadLetterQueue(JOURNAL), this.deadLetterQueue.queueUrl);
    output(this, OUTPUT.function(JOURNAL), this.function.functionName);
  }

  /** A batch is kept or comes back as a whole, so nothing is reported one by one. */
  private addEventSource(): void {
    const source = new EventSourceMapping(this, 'EventSource', {
      target: this.function,
      eventSourceArn: this.queue.queueArn,
      batchSize: BATCH_SIZE,
      maxBatchingWindow: WINDOW,
      maxConcurrency: CONCURRENCY,
    });
    acknowledge(source, {
      'Serverless-LambdaEventSourceMappingDestination':
        'For a queue, failed messages go to the dead letter queue by its redrive policy; destinations are for streams.',
    });
  }
}

/**
 * Everything on the own bus. Of a store that somebody watches, everything too, so that a module which joins later with
 * another filter finds its past. Of other AWS events only what passes the filters: they are the account's, not ours.
 */
function rulesOf({ modules, workflows, contracts }: JournalProps['project']): RulePlan[] {
  const heard = [...modules, ...workflows].flatMap(({ declared }) => declared.on);
  const fromAws = heard
    .filter(({ listenable }) => listenable.kind === 'aws-event')
    .map(({ listenable, where }) => {
      const watched = listenable.kind === 'aws-event' && listenable.store !== undefined;
      return ruleFor({ listenable, ...(where && !watched && { where }) }, contracts);
    });
  const distinct = new Map(fromAws.map((plan) => [JSON.stringify(plan), plan]));
  return [{ bus: 'pipeline', pattern: { 'detail-type': Match.prefix('') } }, ...distinct.values()];
}
