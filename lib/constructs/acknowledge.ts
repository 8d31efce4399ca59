import { type CfnElement, type Resource, Stack, Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** Why rules of a policy pack do not apply to a construct, by rule id. Stands beside what it speaks of. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  Validations.of(construct).acknowledge(...Object.entries(reasons).map(([id, reason]) => ({ id, reason })));
}

/** The rule against wildcards in policies (cdk-nag's IAM5) names the resource it found: this is its id for `resource`. */
export const wildcardRule = (resource: string) => `AwsSolutions-IAM5[Resource::${resource}]`;

/** An attribute of a resource as the rule above writes it: `<LogicalId.Arn>`. */
export function attributeText(resource: Resource, attribute: 'Arn' | 'Name'): string {
  const id = Stack.of(resource).getLogicalId(resource.node.defaultChild as CfnElement);
  return `<${id}.${attribute}>`;
}
