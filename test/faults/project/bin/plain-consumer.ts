import { join } from 'node:path';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Code, EventSourceMapping, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import type { Pipeline } from 'headrace/constructs';

export interface PlainConsumerProps {
  readonly pipeline: Pipeline;
  /** Name of the file in `plain/`. */
  readonly name: string;
  /** Type of the events that reach its queue. */
  readonly detailType: string;
  readonly timeoutSeconds: number;
  readonly concurrency: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A consumer without Headrace, on a queue with the same settings as one with it. Its outputs bear its name. */
export class PlainConsumer extends Construct {
  public readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: PlainConsumerProps) {
    super(scope, id);
    const { pipeline, name, detailType, timeoutSeconds, concurrency, environment = {} } = props;
    const deadLetterQueue = new Queue(this, 'DeadLetterQueue');
    const queue = new Queue(this, 'Queue', {
      visibilityTimeout: Duration.seconds(6 * timeoutSeconds),
      deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: 100 },
    });
    const rule = new Rule(this, 'Rule', { eventBus: pipeline.bus.bus, eventPattern: { detailType: [detailType] } });
    rule.addTarget(new SqsQueue(queue));
    this.function = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromAsset(bundled(name)),
      memorySize: 512,
      timeout: Duration.seconds(timeoutSeconds),
      environment: { BUS: pipeline.bus.bus.eventBusName, ...environment },
    });
    new EventSourceMapping(this, 'EventSource', {
      target: this.function,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
    this.tell(`Queue${id}`, queue.queueUrl);
    this.tell(`DeadLetterQueue${id}`, deadLetterQueue.queueUrl);
    this.tell(`Function${id}`, this.function.functionName);
  }

  private tell(key: string, value: string): void {
    new CfnOutput(Stack.of(this), `Output${key}`, { value }).overrideLogicalId(key);
  }
}

function bundled(name: string): string {
  const folder = join(__dirname, '..', '.headrace', 'plain', name);
  buildSync({
    entryPoints: [join(__dirname, '..', 'plain', `${name}.ts`)],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'silent',
  });
  return folder;
}
