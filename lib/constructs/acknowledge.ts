import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** Why rules of a policy pack do not apply to a construct, by rule id. Stands beside what it speaks of. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}
