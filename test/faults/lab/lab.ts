import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { deploy } from '../../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../../lib/cli/pipeline';
import type { Envelope } from '../../../lib/contract';
import { LocalTarget } from '../../../lib/target';
import { flood } from '../../support/flood';
import { FaultProxy } from '../proxy/fault-proxy';

const ROOT = join(__dirname, '..', '..', '..');
const STACK = 'headrace-faults';

/** The project in `../project`, deployed on a local target of its own, all its functions behind a fault proxy. */
export class Lab {
  public readonly target = new LocalTarget({ root: ROOT, instance: `faults-${process.pid}` });
  public pipeline!: Pipeline;
  public proxy!: FaultProxy;
  private opening: Promise<void> | undefined;

  /** Starts and deploys it, the first time. */
  public open(log: (line: string) => void = () => undefined): Promise<void> {
    this.opening ??= this.begin(log);
    return this.opening;
  }

  private async begin(log: (line: string) => void): Promise<void> {
    await this.target.start({ onProgress: log });
    await deploy({ project: join(__dirname, '..', 'project'), target: this.target, stack: STACK, onProgress: log });
    this.pipeline = await pipelineOn(this.target, STACK);
    this.proxy = new FaultProxy(this.target.endpoint);
    await this.proxy.start();
    const functions = Object.entries(this.pipeline.outputs).filter(([key]) => key.startsWith('Function'));
    for (const [, name] of functions) await this.putBehindProxy(name);
  }

  public async close(): Promise<void> {
    if (!this.opening) return;
    await this.opening.catch(() => undefined);
    await this.proxy?.stop();
    this.pipeline?.clients.close();
    await this.target.stop();
    await rm(this.target.folder, { recursive: true, force: true });
  }

  /** Puts envelopes on the bus, in order within each of a few lanes. */
  public async publish(envelopes: readonly Envelope[]): Promise<void> {
    await flood(envelopes, this.pipeline);
  }

  /** The SDK finds the service by AWS_ENDPOINT_URL, except the queues, which it finds by their own URL. */
  private async putBehindProxy(FunctionName: string): Promise<void> {
    const { lambda } = this.pipeline.clients;
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const settings = Object.entries(Environment?.Variables ?? {}).map(([name, value]) => [
      name,
      this.proxy.inPlaceOfTarget(value),
    ]);
    const Variables = { ...Object.fromEntries(settings), AWS_ENDPOINT_URL: this.proxy.url };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  }
}
