import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { digits, type Shard, shardsOf } from '../../../demo/shards';
import { storeOn, uploadBatch } from '../../../demo/upload';
import { trialName } from '../../../events/model/trial';
import { deploy } from '../../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../../lib/cli/pipeline';
import { listRuns, type RunItem, resumeInterrupted } from '../../../lib/cli/runs';
import { OUTPUT } from '../../../lib/module';
import { runKey } from '../../../lib/runtime';
import { LocalTarget } from '../../../lib/target';
import { FaultProxy } from '../proxy/fault-proxy';
import { STATES } from './blows';

const ROOT = join(__dirname, '..', '..', '..');
const STACK = 'headrace-runs';
const TRAIN_IMAGES = 600;
const HELD_OUT_IMAGES = 100;
const IMAGES_A_SHARD = 200;

/** The reference pipeline on a local target of its own that keeps its state; the workflow's functions behind a proxy. */
export class TrainingLab {
  public pipeline!: Pipeline;
  public proxy!: FaultProxy;
  public target = this.newTarget();
  private train: Shard[] = [];
  private heldOut: Shard[] = [];

  public async open(log: (line: string) => void): Promise<void> {
    await this.target.start({ onProgress: log });
    await deploy({ project: ROOT, target: this.target, stack: STACK, onProgress: log });
    this.pipeline = await pipelineOn(this.target, STACK);
    this.proxy = new FaultProxy(this.target.endpoint);
    await this.proxy.start();
    for (const state of STATES) await this.putBehindProxy(this.functionOf(state));
    this.train = await shardsOf(digits('train', 0, TRAIN_IMAGES), IMAGES_A_SHARD);
    this.heldOut = await shardsOf(digits('test', 0, HELD_OUT_IMAGES), IMAGES_A_SHARD);
  }

  public async close(): Promise<void> {
    await this.proxy?.stop();
    this.pipeline?.clients.close();
    await this.target.stop();
    await rm(this.target.folder, { recursive: true, force: true });
  }

  public functionOf(state: string): string {
    return this.pipeline.output(OUTPUT.function(state));
  }

  /** Uploads the held-out images of a dataset and waits until its run is over. */
  public async holdOut(dataset: string): Promise<void> {
    const known = new Set((await this.runs()).map(({ id }) => id));
    await uploadBatch(storeOn(this.reach, 'datasets'), { dataset, batch: 'holdout', purpose: 'holdout' }, this.heldOut);
    for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
      const own = (await this.runs()).find(({ id }) => !known.has(id));
      if (own?.status === 'SUCCEEDED') return;
    }
    throw new Error(`The held-out images of ${dataset} were not taken in.`);
  }

  /** Uploads the training images of a dataset, which starts its run. */
  public upload(dataset: string): Promise<void> {
    const batch = { dataset, batch: 'batch-1', purpose: 'training' } as const;
    return uploadBatch(storeOn(this.reach, 'datasets'), batch, this.train);
  }

  public runs(): Promise<RunItem[]> {
    return listRuns(this.pipeline, ROOT, Number.POSITIVE_INFINITY);
  }

  /** Stops the whole target and starts it again, as a machine that is switched off and on; then what `headrace up` does. */
  public async restart(): Promise<{ readonly readyAt: number; readonly resumed: readonly string[] }> {
    await this.target.stop();
    this.target = this.newTarget();
    await this.target.start();
    const readyAt = Date.now();
    const resumed = await resumeInterrupted({ target: this.target, project: ROOT, stack: STACK });
    return { readyAt, resumed: resumed.map(({ run }) => run) };
  }

  /** SHA-256 of the model a run chose, as its event says. */
  public async modelOf(run: string): Promise<string> {
    const { outbox } = await this.record(`choose-model#${run}/whole/0`);
    const [event] = JSON.parse(outbox?.S ?? '[]') as { data: { artifact: { sha256: string } } }[];
    return event?.data.artifact.sha256 ?? 'none';
  }

  /** Checkpoints of a run that were written after the ledger had their slice as done: slices that were repeated. */
  public async lateCheckpoints(run: string): Promise<{ readonly slices: number; readonly late: number }> {
    const { Contents = [] } = await this.pipeline.clients.s3.send(
      new ListObjectsV2Command({ Bucket: this.pipeline.output(OUTPUT.store('runs')), Prefix: `runs/${run}/trials/` }),
    );
    const checkpoints = Contents.filter(({ Key }) => Key?.includes('/checkpoint-'));
    const doneAt = await this.lastSliceDone(run);
    const late = checkpoints.filter(({ Key = '', LastModified }) => {
      const [, trial = '', turn = ''] = /trials\/([^/]+)\/checkpoint-(\d+)/.exec(Key) ?? [];
      const limit = doneAt(trial, Number(turn));
      return limit === undefined || (LastModified?.getTime() ?? 0) > limit;
    });
    return { slices: checkpoints.length, late: late.length };
  }

  private async lastSliceDone(run: string) {
    const store = storeOn(this.reach, 'runs');
    const items = JSON.parse(Buffer.from(await store.get(`runs/${run}/plan-trials/items.json`)).toString()) as {
      trial: number;
    }[];
    const times = new Map<string, number>();
    for (const item of items) {
      const hash = createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 16);
      for (let turn = 0; turn < 100; turn++) {
        const { done_at } = await this.record(`train-model#${run}/${hash}/${turn}`);
        if (!done_at?.N) break;
        times.set(runKey({ id: run } as never, trialName(item.trial, `checkpoint-${turn}.bin`)), Number(done_at.N));
      }
    }
    return (trial: string, turn: number) => times.get(`runs/${run}/trials/${trial}/checkpoint-${turn}.bin`);
  }

  private async record(pk: string) {
    const { Item = {} } = await this.pipeline.clients.dynamodb.send(
      new GetItemCommand({ TableName: this.pipeline.output(OUTPUT.ledger), Key: { pk: { S: pk } } }),
    );
    return Item;
  }

  private get reach() {
    return { clients: this.pipeline.clients, outputs: this.pipeline.outputs };
  }

  private newTarget(): LocalTarget {
    // Retries wait a twentieth of what they would: the same order, sooner.
    const settings = { SFN_WAIT_SCALE: '0.05' };
    return new LocalTarget({ root: ROOT, instance: `runs-${process.pid}`, keepState: true, settings });
  }

  private async putBehindProxy(FunctionName: string): Promise<void> {
    const { lambda } = this.pipeline.clients;
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const Variables = { ...Environment?.Variables, AWS_ENDPOINT_URL: this.proxy.url };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  }
}
