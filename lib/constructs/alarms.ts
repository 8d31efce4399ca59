import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/** Where an alarm's description sends its reader. */
export const RUNBOOK = 'docs/RUNBOOK.md';

interface AlarmOptions {
  readonly metric: IMetric;
  readonly what: string;
  /** Section of the runbook. */
  readonly section: string;
  /** Alarm from this value on. @default 1 */
  readonly threshold?: number;
  /** Periods in a row. @default 1 */
  readonly periods?: number;
}

/**
 * An alarm named after its construct path. Missing data is no breach: the metrics used here are silent when nothing
 * happens (SQS stops after six idle hours, Lambda and Step Functions send no zeros).
 */
function alarm(scope: Construct, id: string, options: AlarmOptions, action?: IAlarmAction): Alarm {
  const made = new Alarm(scope, id, {
    alarmName: `${scope.node.path}/${id}`,
    alarmDescription: `${options.what} See ${RUNBOOK}#${options.section}`,
    metric: options.metric,
    threshold: options.threshold ?? 1,
    evaluationPeriods: options.periods ?? 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  if (action) made.addAlarmAction(action);
  return made;
}

export interface SubscriptionAlarmsProps {
  readonly name: string;
  readonly queue: IQueue;
  readonly deadLetterQueue: IQueue;
  readonly function: IFunction;
  /** Age from which a waiting message is too old, seconds. */
  readonly maxAgeSeconds: number;
  readonly action?: IAlarmAction;
}

/** The four ways a subscription stops doing its work, each with an alarm. */
export class SubscriptionAlarms extends Construct {
  public readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, props: SubscriptionAlarmsProps) {
    super(scope, id);
    const { name, queue, deadLetterQueue, function: worker, maxAgeSeconds, action } = props;
    this.all = [
      alarm(
        this,
        'DeadLetters',
        {
          what: `${name} gave up on at least one event.`,
          section: 'dead-letters',
          metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
        },
        action,
      ),
      alarm(
        this,
        'Age',
        {
          what: `Events wait too long for ${name}.`,
          section: 'old-messages',
          metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
          threshold: maxAgeSeconds,
          periods: 2,
        },
        action,
      ),
      alarm(
        this,
        'Failing',
        {
          what: `The function of ${name} fails as a whole: it crashes or times out.`,
          section: 'function-failing',
          metric: worker.metricErrors({ statistic: 'Sum' }),
          periods: 2,
        },
        action,
      ),
      alarm(
        this,
        'NotRunning',
        {
          what: `Events wait for ${name}, but its function is not called.`,
          section: 'not-running',
          metric: notRunning(queue, worker),
          periods: 3,
        },
        action,
      ),
    ];
  }
}

/**
 * 1 where messages wait and nobody works. A function that is not called sends no Invocations at all, so its missing
 * values are zeros; an idle queue sends no values, so its missing values are zeros too and do not alarm.
 */
function notRunning(queue: IQueue, worker: IFunction): MathExpression {
  return new MathExpression({
    label: 'Waiting without invocations',
    expression: 'IF(FILL(waiting, 0) > 0 AND FILL(invocations, 0) == 0, 1, 0)',
    usingMetrics: {
      waiting: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      invocations: worker.metricInvocations({ statistic: 'Sum' }),
    },
    period: Duration.minutes(5),
  });
}

export interface WorkflowAlarmsProps {
  readonly name: string;
  readonly machine: StateMachine;
  readonly action?: IAlarmAction;
}

/** The three ways a run ends badly or stalls. */
export class WorkflowAlarms extends Construct {
  public readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { name, machine, action }: WorkflowAlarmsProps) {
    super(scope, id);
    const section = 'runs-failing';
    const statistic = 'Sum';
    this.all = [
      alarm(
        this,
        'RunsFailed',
        { what: `A run of ${name} failed.`, section, metric: machine.metricFailed({ statistic }) },
        action,
      ),
      alarm(
        this,
        'RunsTimedOut',
        { what: `A run of ${name} took too long.`, section, metric: machine.metricTimedOut({ statistic }) },
        action,
      ),
      alarm(
        this,
        'RunsThrottled',
        {
          what: `Runs of ${name} are held back by a quota of Step Functions.`,
          section,
          metric: machine.metricThrottled({ statistic }),
          periods: 3,
        },
        action,
      ),
    ];
  }
}
