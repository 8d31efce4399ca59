import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeExecutionCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  ListMapRunsCommand,
  paginateGetExecutionHistory,
} from '@aws-sdk/client-sfn';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { deploy } from '../../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../../lib/cli/pipeline';
import type { Draft } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { publish, S3Store } from '../../../lib/runtime';
import { runFor } from '../../../lib/runtime/start-runs';
import { LocalTarget } from '../../../lib/target';

const ROOT = join(__dirname, '..', '..', '..');

/** What a run came to. */
export interface RaceEnd {
  readonly run: string;
  readonly arn: string;
  readonly status: string;
  readonly error: string;
}

/** `test/fixtures/long-project`: a workflow whose items take as many turns as their event says. */
export class RaceLab {
  public readonly target = new LocalTarget({
    root: ROOT,
    instance: `races-${process.pid}`,
    settings: { SFN_WAIT_SCALE: '0.05' },
  });
  public pipeline!: Pipeline;

  public async open(log: (line: string) => void): Promise<void> {
    await this.target.start({ onProgress: log });
    const project = join(ROOT, 'test', 'fixtures', 'long-project');
    await deploy({ project, target: this.target, stack: 'laps', onProgress: log });
    this.pipeline = await pipelineOn(this.target, 'laps');
  }

  public async close(): Promise<void> {
    this.pipeline?.clients.close();
    await this.target.stop();
    await rm(this.target.folder, { recursive: true, force: true });
  }

  /** Publishes facts. @returns the runs they start */
  public async call(...drafts: Draft[]): Promise<string[]> {
    const sent = await publish(drafts, { client: this.pipeline.clients.eventbridge, bus: this.pipeline.bus });
    return sent.map(({ id }) => runFor({ name: 'run-race' }, { id, data: {} } as never).id);
  }

  /** Waits for the end of a run. */
  public async endOf(run: string, timeoutSeconds = 60): Promise<RaceEnd> {
    const machine = this.pipeline.output(OUTPUT.stateMachine('run-race'));
    const arn = `${machine.replace(':stateMachine:', ':execution:')}:${run}`;
    for (const end = Date.now() + timeoutSeconds * 1000; Date.now() < end; await sleep(50)) {
      const found = await this.pipeline.clients.sfn
        .send(new DescribeExecutionCommand({ executionArn: arn }))
        .catch(() => undefined);
      if (!found || found.status === 'RUNNING') continue;
      const own = `${found.error ?? ''} ${found.cause ?? ''}`.trim();
      // A Map only knows that an item failed; the item knows why.
      const error = own.startsWith('States.ExceedToleratedFailureThreshold') ? await this.itemError(arn) : own;
      return { run, arn, status: found.status ?? '', error };
    }
    return { run, arn, status: 'NOT ENDED', error: '' };
  }

  private async itemError(arn: string): Promise<string> {
    const client = this.pipeline.clients.sfn;
    const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn: arn }));
    for (const { mapRunArn } of mapRuns) {
      const { executions = [] } = await client.send(new ListExecutionsCommand({ mapRunArn, statusFilter: 'FAILED' }));
      for (const { executionArn } of executions) {
        const { error, cause } = await client.send(new DescribeExecutionCommand({ executionArn }));
        return `${error} ${cause}`;
      }
    }
    return '';
  }

  /** Laps a run has on record, and how many of them twice. */
  public async lapsOf(run: string): Promise<{ readonly laps: number; readonly again: number }> {
    const store = new S3Store(this.pipeline.clients.s3, this.pipeline.output(OUTPUT.store('runs')));
    const keys = await store.list(`runs/${run}/laps/`);
    const again = keys.filter((key) => key.endsWith('-again')).length;
    return { laps: keys.length - again, again };
  }

  /** Histories of an execution and of all below it: its items, and their chapters. */
  public async histories(arn: string): Promise<HistoryEvent[][]> {
    const client = this.pipeline.clients.sfn;
    const own: HistoryEvent[] = [];
    for await (const page of paginateGetExecutionHistory({ client }, { executionArn: arn, maxResults: 1000 })) {
      own.push(...(page.events ?? []));
    }
    const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn: arn }));
    const below: HistoryEvent[][] = [];
    for (const { mapRunArn } of mapRuns) {
      const { executions = [] } = await client.send(new ListExecutionsCommand({ mapRunArn, maxResults: 1000 }));
      for (const { executionArn = '' } of executions) below.push(...(await this.histories(executionArn)));
    }
    return [own, ...below];
  }

  /** Takes a letter out of the dead letter queue of the workflow's starter. @returns why it is there, and its size */
  public async letter(): Promise<{ readonly reason: string; readonly bytes: number } | undefined> {
    const QueueUrl = this.pipeline.output(OUTPUT.deadLetterQueue('run-race'));
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      const { Messages = [] } = await this.pipeline.clients.sqs.send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1, MessageAttributeNames: ['All'] }),
      );
      const [message] = Messages;
      if (!message) continue;
      const reason = message.MessageAttributes?.['headrace.error']?.StringValue ?? '';
      return { reason, bytes: Buffer.byteLength(message.Body ?? '') };
    }
    return undefined;
  }
}
