import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { deploy } from '../../lib/cli/deploy';
import { type Pipeline, pipelineOn } from '../../lib/cli/pipeline';
import { type Envelope, toEnvelope } from '../../lib/contract';
import { Journal, type JournalEntry } from '../../lib/journal';
import { JOURNAL, OUTPUT } from '../../lib/module';
import { S3Store } from '../../lib/runtime';
import { LocalTarget } from '../../lib/target';
import { stepTaken } from '../fixtures/walkers/events/step-taken.v1';
import { flood } from './flood';

const ROOT = join(__dirname, '..', '..');
const FIXTURE = join(ROOT, 'test', 'fixtures', 'walkers');
const STACK = 'headrace-walkers';

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the project `walkers` on a local target of its own. Nobody listens to steps until the module has joined. */
export class Walkers {
  public readonly target: LocalTarget;
  public pipeline!: Pipeline;
  /** Inside the repo, so that `headrace` is found by its own name. */
  private readonly project = mkdtempSync(join(ROOT, '.headrace', 'walkers-'));

  constructor(instance: string) {
    this.target = new LocalTarget({ root: ROOT, instance: `${instance}-${process.pid}` });
    cpSync(FIXTURE, this.project, { recursive: true });
  }

  public async start(): Promise<void> {
    await this.target.start();
    await this.deploy();
  }

  public async stop(): Promise<void> {
    this.pipeline?.clients.close();
    await this.target.stop();
    await rm(this.target.folder, { recursive: true, force: true });
    rmSync(this.project, { recursive: true, force: true });
  }

  /** The module `note-steps` joins. */
  public async join(): Promise<void> {
    cpSync(join(FIXTURE, 'later'), join(this.project, 'lambdas'), { recursive: true });
    await this.deploy();
  }

  /** The module `note-steps` leaves the project; what was deployed of it stays. */
  public leave(): void {
    rmSync(join(this.project, 'lambdas', 'note-steps'), { recursive: true });
  }

  private async deploy(): Promise<void> {
    await deploy({ project: this.project, target: this.target, stack: STACK });
    this.pipeline?.clients.close();
    this.pipeline = await pipelineOn(this.target, STACK);
  }

  /** Puts events on the bus, several requests at a time. */
  public async publish(envelopes: readonly Envelope[]): Promise<void> {
    await flood(envelopes, this.pipeline);
  }

  public store(name: string): S3Store {
    return new S3Store(this.pipeline.clients.s3, this.pipeline.output(OUTPUT.store(name)));
  }

  /** What the journal has of the last hours. */
  public async journal(type = '*'): Promise<JournalEntry[]> {
    const filter = { from: new Date(Date.now() - 3 * 3_600_000), to: new Date(Date.now() + 60_000), type };
    const found: JournalEntry[] = [];
    for await (const entry of new Journal(this.store(JOURNAL)).events(filter)) found.push(entry);
    return found;
  }

  /** Waits until the journal has so many events of the type. */
  public async journaled(type: string, count: number, seconds = 120): Promise<JournalEntry[]> {
    for (const end = Date.now() + seconds * 1000; ; await sleep(500)) {
      const found = await this.journal(type);
      if (found.length >= count || Date.now() > end) return found;
    }
  }

  /** How often each event was handled for a book, by its id. */
  public async traces(book: string): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const key of await this.store('books').list(`traces/${book}/`)) {
      const id = key.split('/')[2] ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  /** One hash over the books of all walkers. */
  public async hashOf(book: string): Promise<string> {
    const store = this.store('books');
    const keys = await store.list(`books/${book}/`);
    const hashes = await Promise.all(keys.map((key) => store.getJson(key, z.object({ hash: z.string() }))));
    return digest(
      keys
        .map((key, i) => `${key.split('/').at(-1)} ${hashes[i]?.hash}`)
        .sort()
        .join('\n'),
    );
  }

  /** Starts a command of the command line on this deployment. */
  public begin(...args: string[]): { readonly child: ChildProcess; readonly answer: Promise<Answer> } {
    const all = ['bin/headrace.mjs', ...args, '--target', this.target.endpoint, '--project', this.project];
    const child = spawn(process.execPath, all, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (part: Buffer) => {
      texts.stdout += part.toString();
    });
    child.stderr.on('data', (part: Buffer) => {
      texts.stderr += part.toString();
    });
    const answer = new Promise<Answer>((resolve) => {
      child.once('close', (code) => resolve({ code: code ?? -1, ...texts }));
    });
    return { child, answer };
  }

  /** The same, to its end. */
  public cli(...args: string[]): Promise<Answer> {
    return this.begin(...args).answer;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** Steps of walkers in turn, one a millisecond from `since` on: the order of time is that of the list. */
export function steps(prefix: string, count: number, { walkers = 20, since = Date.now() } = {}): Envelope[] {
  return Array.from({ length: count }, (_, i) => {
    const data = { walker: `${prefix}-${i % walkers}`, step: Math.floor(i / walkers) + 1 };
    return toEnvelope(stepTaken.create(data), { id: `${prefix}-${i}`, time: new Date(since + i) });
  });
}

/** The hash over the books of all walkers when each step is noted once and in turn. */
export function hashExpected(envelopes: readonly Envelope[]): string {
  const books = new Map<string, string>();
  for (const { subject, id } of envelopes) books.set(subject, digest(`${books.get(subject) ?? ''}${id}`));
  return digest(
    [...books]
      .map(([walker, hash]) => `${walker}.json ${hash}`)
      .sort()
      .join('\n'),
  );
}
