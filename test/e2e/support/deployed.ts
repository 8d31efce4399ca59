import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventLog } from '../../../lib/cli/demo/event-log';
import { deploy } from '../../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../../lib/cli/pipeline';
import type { SeenEvent } from '../../../lib/cli/stage';
import { tail } from '../../../lib/cli/tail';
import type { Draft } from '../../../lib/contract';
import { OUTPUT } from '../../../lib/module';
import { publish, S3Store, type WritableStore } from '../../../lib/runtime';
import { LocalTarget } from '../../../lib/target';

/** The repo itself: the reference pipeline. */
export const ROOT = join(__dirname, '..', '..', '..');

const STACK = 'headrace-digits';

/** State machines wait a fifth of what they would: retries have the same order, sooner. */
const WAITS = { SFN_WAIT_SCALE: '0.2' };

/** A project deployed on a local target of its own, with somebody listening to its bus. */
export class Deployed {
  public readonly target: LocalTarget;
  public readonly log: EventLog;
  public pipeline!: Pipeline;
  private readonly project: string;
  private readonly stopping = new AbortController();
  private tailing: Promise<void> = Promise.resolve();

  constructor(project: string, instance: string) {
    this.project = project;
    this.target = new LocalTarget({ root: ROOT, instance: `${instance}-${process.pid}`, settings: WAITS });
    this.log = new EventLog(this.stopping.signal);
  }

  public async start(): Promise<void> {
    await this.target.start();
    await this.deploy();
    const { clients, bus } = this.pipeline;
    await new Promise<void>((onReady, reject) => {
      const source = { name: bus, eventbridge: clients.eventbridge, sqs: clients.sqs, onReady };
      this.tailing = tail(source, (event) => this.log.add(event), this.stopping.signal);
      this.tailing.catch(reject);
    });
  }

  /** Deploys the project as it stands now. */
  public async deploy(): Promise<void> {
    await deploy({ project: this.project, target: this.target, stack: STACK });
    this.pipeline = await pipelineOn(this.target, STACK);
  }

  public async stop(): Promise<void> {
    this.stopping.abort();
    await this.tailing.catch(() => undefined);
    await this.target.stop();
    await rm(this.target.folder, { recursive: true, force: true });
  }

  /** Runs a command of the command line against this deployment. @returns what it printed and its exit code */
  public async cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const all = ['bin/headrace.mjs', ...args, '--target', this.target.endpoint];
    return new Promise((resolve) => {
      execFile(process.execPath, all, { cwd: this.project }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    });
  }

  public store(name: string): WritableStore {
    return new S3Store(this.pipeline.clients.s3, this.pipeline.output(OUTPUT.store(name)));
  }

  public async publish(...drafts: Draft[]) {
    return publish(drafts, { client: this.pipeline.clients.eventbridge, bus: this.pipeline.bus });
  }

  /** The first event of that type whose data has these values. */
  public event(type: string, values: Readonly<Record<string, unknown>> = {}): Promise<SeenEvent> {
    const fits = (event: SeenEvent) =>
      event.type === type && Object.entries(values).every(([key, value]) => event.data[key] === value);
    return this.log.waitFor(fits, { describe: `${type} ${JSON.stringify(values)}`, timeoutSeconds: 120 });
  }

  /** The first event of one of these types in the chain that `after` belongs to. */
  public follows(after: SeenEvent, ...types: string[]): Promise<SeenEvent> {
    const fits = (event: SeenEvent) => types.includes(event.type) && event.correlationId === after.correlationId;
    return this.log.waitFor(fits, { describe: types.join(' or '), timeoutSeconds: 120 });
  }
}

/** An empty folder that is removed by `remove`. */
export async function scratchFolder(name: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `headrace-${name}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
