import { join } from 'node:path';
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import {
  Code,
  EventSourceMapping,
  Function as LambdaFunction,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { App, Duration, Stack } from 'aws-cdk-lib/core';
import { buildSync } from 'esbuild';
import { Pipeline } from 'headrace/constructs';
import { discover } from 'headrace/module';
import { NOTES_TABLE } from '../notes';

const ROOT = join(__dirname, '..');

const app = new App();
const stack = new Stack(app, app.node.tryGetContext('stack') ?? 'headrace-loops');
const pipeline = new Pipeline(stack, 'Pipeline', { project: discover(ROOT), journal: false });

const notes = new Table(stack, 'Notes', {
  tableName: NOTES_TABLE,
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  stream: StreamViewType.NEW_IMAGE,
});
const writer = pipeline.subscriptions.get('note-word')?.function;
if (writer) notes.grantWriteData(writer);

const stream = new LambdaFunction(stack, 'NotesStream', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromAsset(bundled()),
  timeout: Duration.seconds(30),
  environment: { BUS: pipeline.bus.bus.eventBusName },
});
pipeline.bus.bus.grantPutEventsTo(stream);
// Not DynamoEventSource, whose types are laxer than ours.
notes.grantStreamRead(stream);
new EventSourceMapping(stack, 'NotesSource', {
  target: stream,
  eventSourceArn: notes.tableStreamArn ?? '',
  startingPosition: StartingPosition.TRIM_HORIZON,
  batchSize: 100,
});

function bundled(): string {
  const folder = join(ROOT, '.headrace', 'stream');
  buildSync({
    entryPoints: [join(ROOT, 'stream', 'handler.ts')],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    conditions: ['source'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return folder;
}
