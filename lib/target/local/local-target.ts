import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import { cacheFolder, ensureWritable } from '../cache-folder';
import { emulatorClientConfig, emulatorEnv } from '../emulator-access';
import { GAPS, type Gap } from '../gaps';
import { call, failure } from '../http';
import type { ClientConfig, Health, StartOptions, Target } from '../target';
import { MINISTACK_VERSION } from './assets';
import { serverEnvironment } from './environment';
import { isReady } from './identity';
import { ensureInstalled } from './install';
import { forgetKept, type Kept, readKept, writeKept } from './kept-state';
import { endGuard, type Launch, launch, letOutlive } from './launch';
import { logFile, logTail } from './log';
import { choosePort, portTaken } from './port';
import { findRunning, stopRunning, waitForRunning } from './running';
import { removeState, type TargetState, writeState } from './state-file';
import { killWorkers } from './workers';

export interface LocalTargetOptions {
  /** The project's folder. */
  readonly root: string;
  /** @default us-east-1 */
  readonly region?: string;
  /** @default any free port */
  readonly port?: number;
  /** Survive the end of this process, until `stop`. Otherwise the target never outlives it, however it ends. @default false */
  readonly keepAlive?: boolean;
  /**
   * Whether a stop keeps everything the target holds for the next start: stacks, queues, tables, objects. Executions
   * that were running come back as failed with `States.ServiceRestart`. A target that is killed rather than stopped
   * comes back as it was at its last stop, but for its objects. @default false
   */
  readonly keepState?: boolean;
  /** A target apart from the project's own one, for tests. @default the project's one target */
  readonly instance?: string;
  /** Further MiniStack settings, such as `SFN_WAIT_SCALE`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** @default 30000 */
  readonly readyTimeoutMs?: number;
  /** Told when the target ends although nobody stopped it (HR408). Only in the process that started it. */
  readonly onCrash?: (error: HeadraceError) => void;
  /** The shell's environment. @default process.env */
  readonly env?: NodeJS.ProcessEnv;
}

const LAUNCH_ATTEMPTS = 3;

/** MiniStack in a private environment in the project's cache folder: one per project, found again by later commands. */
export class LocalTarget implements Target {
  public readonly name = 'local';
  public readonly gaps: readonly Gap[] = GAPS;
  /** Holds log, state file and data of this target. */
  public readonly folder: string;

  private readonly options: LocalTargetOptions;
  private readonly shell: NodeJS.ProcessEnv;
  private readonly installFolder: string;
  private state: TargetState | undefined;
  private guard: ChildProcess | undefined;
  private crash: HeadraceError | undefined;
  private kept: Kept | undefined;

  constructor(options: LocalTargetOptions) {
    this.options = options;
    this.shell = options.env ?? process.env;
    this.installFolder = join(cacheFolder(options.root, this.shell), 'local');
    this.folder = options.instance ? join(this.installFolder, 'instances', options.instance) : this.installFolder;
  }

  public get region(): string {
    return this.state?.region ?? this.kept?.region ?? this.options.region ?? 'us-east-1';
  }

  public get endpoint(): string {
    return `http://127.0.0.1:${this.running().port}`;
  }

  /** Whether this object's `start` began the target, rather than finding it running. */
  public get startedHere(): boolean {
    return this.guard !== undefined;
  }

  /** Whether this object's `start` brought back what an earlier stop had kept. */
  public get restored(): boolean {
    return this.kept !== undefined && this.startedHere;
  }

  /** Whether a stop keeps the state of the target that runs. */
  public get keepsState(): boolean {
    return this.state?.keepState ?? false;
  }

  public env(): Record<string, string> {
    return emulatorEnv(this.endpoint, this.region);
  }

  public clientConfig(): ClientConfig {
    return emulatorClientConfig(this.endpoint, this.region);
  }

  /** Installs if needed, then starts the target, or joins the one this project already runs. */
  public async start({ onProgress = () => undefined }: StartOptions = {}): Promise<void> {
    if (this.state) return;
    this.crash = undefined;
    await ensureWritable(this.folder);
    const found = await findRunning(this.folder);
    if (found) return this.join(found, onProgress);
    const python = await ensureInstalled({ folder: this.installFolder, env: this.shell, onProgress });
    this.kept = await this.comeBack();
    onProgress(this.kept ? 'starting the local AWS target with its kept state' : 'starting the local AWS target');
    for (let attempt = 1; ; attempt++) {
      const port = await choosePort(this.kept?.port ?? this.options.port);
      const token = randomBytes(12).toString('hex');
      const result = await this.launch(python, port, token);
      if (result.outcome === 'ready') return this.began(result.guard, port, token);
      if (result.outcome === 'taken') return this.joinStarting(onProgress);
      await this.explain(result, port, attempt);
    }
  }

  /** Joins the target that another command started; HR408 when there is none. */
  public async attach(): Promise<void> {
    if (this.state) return;
    this.state = await findRunning(this.folder);
    this.running();
  }

  public async health(): Promise<Health> {
    if (this.crash) return { ok: false, error: this.crash };
    const begin = Date.now();
    try {
      const { port, token } = this.running();
      if (await isReady(port, token)) return { ok: true, latencyMs: Date.now() - begin };
      return { ok: false, error: this.crash ?? (await this.stopped('does not answer')) };
    } catch (error) {
      return { ok: false, error: error as HeadraceError };
    }
  }

  /** Ends the target with all its processes, also one that another command started. */
  public async stop(): Promise<void> {
    const { guard, state } = this;
    this.guard = undefined;
    this.state = undefined;
    if (guard && state) {
      await endGuard(guard);
      await removeState(this.folder, state.token);
    } else {
      await stopRunning(this.folder);
    }
  }

  /** Throws away what a stopped target has kept. @returns whether there was anything */
  public async forget(): Promise<boolean> {
    const had = (await readKept(this.folder)) !== undefined;
    await forgetKept(this.folder);
    return had;
  }

  /** Kills the processes that run a function here, as a machine failure would. @returns how many there were */
  public killWorkers(functionName: string): number {
    return killWorkers(this.folder, functionName);
  }

  /** Empties the target: all queues, tables, buckets, functions and stacks. */
  public async reset(): Promise<void> {
    const answer = await call(`${this.endpoint}/_ministack/reset`, { method: 'POST', timeoutMs: 30_000 }).catch(
      async (error: unknown) => Promise.reject(await this.stopped(`could not be emptied: ${failure(error)}`)),
    );
    if (answer.status !== 200) throw await this.stopped(`could not be emptied: status ${answer.status}`);
  }

  /** What this start comes back to. A start that keeps nothing leaves what an earlier one has kept where it is. */
  private async comeBack(): Promise<Kept | undefined> {
    if (!this.options.keepState) return undefined;
    const kept = await readKept(this.folder);
    const { port } = this.options;
    if (kept && port !== undefined && port !== kept.port) {
      throw portTaken(
        port,
        `the state that was kept belongs to port ${kept.port}; npx headrace down --forget drops it`,
      );
    }
    // Left by a stop before the first start was complete.
    if (!kept) await forgetKept(this.folder);
    return kept;
  }

  private launch(python: string, port: number, token: string): Promise<Launch> {
    const { readyTimeoutMs = 30_000, settings = {}, keepState = false } = this.options;
    const env = serverEnvironment({ folder: this.folder, port, region: this.region, keepState, settings }, this.shell);
    return launch({ folder: this.folder, python, port, token, env, readyTimeoutMs });
  }

  private async began(guard: ChildProcess, port: number, token: string): Promise<void> {
    const { keepAlive = false, keepState = false } = this.options;
    this.state = {
      pid: guard.pid ?? 0,
      port,
      region: this.region,
      token,
      version: MINISTACK_VERSION,
      ownerPid: process.pid,
      keepAlive,
      keepState,
      startedAt: new Date().toISOString(),
    };
    this.guard = guard;
    guard.once('exit', () => void this.noticeEnd(guard));
    await writeState(this.folder, this.state);
    if (keepState) {
      await writeKept(this.folder, { port, region: this.region, version: MINISTACK_VERSION });
    }
    if (keepAlive) await letOutlive(guard);
  }

  private join(state: TargetState, onProgress: (message: string) => void): void {
    const { port } = this.options;
    if (port !== undefined && port !== state.port) {
      throw portTaken(port, `this project's local target already runs on port ${state.port}`);
    }
    this.state = state;
    onProgress(`using the local AWS target that already runs on port ${state.port}`);
  }

  private async joinStarting(onProgress: (message: string) => void): Promise<void> {
    const state = await waitForRunning(this.folder, this.options.readyTimeoutMs ?? 30_000);
    if (!state) throw await this.notReady('another process is starting it and did not finish');
    this.join(state, onProgress);
  }

  /** Throws, unless another try with another port can help: somebody took the port between our look and the server's. */
  private async explain(result: Launch, port: number, attempt: number): Promise<void> {
    const tail = await logTail(this.folder);
    if (result.outcome === 'exited' && /already in use/i.test(tail)) {
      if (this.options.port === undefined && !this.kept && attempt < LAUNCH_ATTEMPTS) return;
      throw portTaken(port, 'taken by another program');
    }
    throw await this.notReady(
      result.outcome === 'exited' ? `it exited with code ${result.code}` : 'it did not answer in time',
    );
  }

  private async noticeEnd(guard: ChildProcess): Promise<void> {
    if (this.guard !== guard) return;
    this.guard = undefined;
    this.state = undefined;
    this.crash = await this.stopped('stopped by itself');
    this.options.onCrash?.(this.crash);
  }

  private running(): TargetState {
    if (this.state) return this.state;
    if (this.crash) throw this.crash;
    throw new HeadraceError('HR408', {
      what: 'The local target is not running.',
      next: 'Start it with npx headrace up.',
    });
  }

  private async notReady(reason: string): Promise<HeadraceError> {
    return new HeadraceError('HR405', {
      what: `The local target did not become ready: ${reason}.${await logTail(this.folder)}\n`,
      next: `The whole log is in ${logFile(this.folder)}; npx headrace doctor checks what the target needs.`,
    });
  }

  private async stopped(what: string): Promise<HeadraceError> {
    return new HeadraceError('HR408', {
      what: `The local target ${what}.${await logTail(this.folder)}\n`,
      next: `Start it again with npx headrace up. The whole log is in ${logFile(this.folder)}.`,
    });
  }
}
