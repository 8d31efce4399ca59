import { join } from 'node:path';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { App, CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Pipeline } from 'headrace/constructs';
import { discover } from 'headrace/module';
import { EFFECTS_TABLE } from '../effects';
import doWork from '../lambdas/do-work/module';
import { PlainConsumer } from './plain-consumer';

const app = new App();
const stack = new Stack(app, app.node.tryGetContext('stack') ?? 'headrace-faults');
const partitionKey = { name: 'pk', type: AttributeType.STRING };

const pipeline = new Pipeline(stack, 'Pipeline', { project: discover(join(__dirname, '..')) });
new Table(stack, 'Effects', { tableName: EFFECTS_TABLE, partitionKey });

const idempotency = new Table(stack, 'Idempotency', { partitionKey, timeToLiveAttribute: 'expiration' });
new CfnOutput(stack, 'TablePowertoolsWork', { value: idempotency.tableName });
new PlainConsumer(stack, 'PowertoolsWork', {
  pipeline,
  name: 'powertools-work',
  detailType: 'powertools.requested',
  timeoutSeconds: doWork.timeoutSeconds,
  concurrency: doWork.concurrency,
  environment: { IDEMPOTENCY_TABLE: idempotency.tableName },
});

new PlainConsumer(stack, 'BareDrain', {
  pipeline,
  name: 'bare-drain',
  detailType: 'bare.queued',
  timeoutSeconds: 60,
  concurrency: 2,
});
