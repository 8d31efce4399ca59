import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** What can become of one delivery. */
export type Verdict =
  | 'Handled'
  | 'Duplicate'
  /** Another worker has it in hand. */
  | 'Busy'
  | 'Retried'
  | 'DeadLettered'
  /** Another worker took it over. */
  | 'Fenced'
  /** Not its turn among the events of its subject. */
  | 'Waiting'
  /** A later event of the same object was handled before. */
  | 'Stale';

const metrics = new Metrics({ namespace: 'Headrace', serviceName: 'headrace' });

/** Counts verdicts and milliseconds of one invocation, in CloudWatch's embedded metric format. */
export function countDeliveries(module: string, verdicts: readonly Verdict[], milliseconds: number): void {
  metrics.addDimension('Module', module);
  for (const verdict of new Set(verdicts)) {
    metrics.addMetric(verdict, MetricUnit.Count, verdicts.filter((each) => each === verdict).length);
  }
  metrics.addMetric('BatchDuration', MetricUnit.Milliseconds, milliseconds);
  metrics.publishStoredMetrics();
  metrics.clearDimensions();
}
