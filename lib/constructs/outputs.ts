import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** A stack output under exactly this key (see `OUTPUT` of headrace/module): the command line finds the pipeline by it. */
export function output(scope: Construct, key: string, value: string): void {
  new CfnOutput(Stack.of(scope), `Output${key}`, { value }).overrideLogicalId(key);
}
