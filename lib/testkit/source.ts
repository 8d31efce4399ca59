import type { Handler } from '../runtime';
import type { Message } from './queue';
import type { Planned } from './schedule';
import { type InHand, Worker } from './worker';
import type { Inbox, World } from './world';

/** Until a message that may be received is asked for, milliseconds. */
const POLL_MS = [1, 40] as const;

export interface SourceOptions {
  readonly inbox: Inbox;
  readonly handler: Handler;
  readonly env: Readonly<Record<string, string>>;
}

/** The event source of a module: takes batches from the queue to the function, several at once. */
export class Source {
  readonly #world: World;
  readonly #options: SourceOptions;
  readonly #running = new Set<Worker>();
  #polling: Planned | undefined;
  #invocations = 0;

  constructor(world: World, options: SourceOptions) {
    this.#world = world;
    this.#options = options;
  }

  get running(): ReadonlySet<Worker> {
    return this.#running;
  }

  /** There may be something to receive. */
  wake(): void {
    const { inbox } = this.#options;
    if (this.#polling || this.#running.size >= inbox.module.concurrency || inbox.queue.visible().length === 0) return;
    const name = `poll|${inbox.module.name}|${this.#invocations}`;
    this.#polling = this.#world.schedule.in(this.#world.dice.between(name, ...POLL_MS), () => this.#poll());
  }

  #poll(): void {
    this.#polling = undefined;
    const { module, queue, visibilitySeconds } = this.#options.inbox;
    const { faults, dice } = this.#world;
    const visible = queue.visible();
    if (visible.length === 0) return;
    const number = ++this.#invocations;
    const occasion = faults.occasion(`batch|${module.name}|${visible[0]?.id}`);
    const most = Math.min(module.batchSize, visible.length);
    const size = most > 1 && faults.strikes('partial', occasion) ? dice.between(`size|${occasion}`, 1, most) : most;
    const batch = visible
      .slice(0, size)
      .map((message): InHand => ({ message, receipt: queue.receive(message, visibilitySeconds) }));
    for (const { message } of batch) this.#handOutAgain(message);
    if (faults.strikes('uninvoked', occasion) && batch.every(({ message }) => message.receives === 1)) {
      this.#world.tell(module.name, `is throttled: ${batch.length} messages were received by nobody`, true);
    } else this.#invoke(batch, number);
    this.wake();
  }

  /** At least once: now and then two receive the same message. */
  #handOutAgain(message: Message): void {
    const { module, queue, maxReceiveCount } = this.#options.inbox;
    const { faults, dice, schedule } = this.#world;
    const occasion = `${module.name}|${message.id}|${message.receives}`;
    if (message.receives > Math.min(2, maxReceiveCount - 4) || !faults.strikes('again', occasion)) return;
    const ms = dice.between(`again|${occasion}`, 1, 500);
    schedule.in(ms, () => {
      if (message.deleted) return;
      this.#world.tell(module.name, `gets ${message.label} although somebody has it`, true);
      queue.hide(message, 0);
    });
  }

  #invoke(batch: readonly InHand[], number: number): void {
    const { inbox, handler, env } = this.#options;
    const worker = new Worker(this.#world, {
      inbox,
      handler,
      batch,
      number,
      env: (name) => env[name],
      onEnd: (failed) => {
        this.#running.delete(worker);
        if (failed) this.#takeOff(batch, failed, number);
        this.wake();
      },
    });
    this.#running.add(worker);
    worker.start();
  }

  /** What did not fail is done. */
  #takeOff(batch: readonly InHand[], failed: ReadonlySet<string>, number: number): void {
    const { module, queue } = this.#options.inbox;
    const { faults, schedule } = this.#world;
    const done = batch.filter(({ message }) => !failed.has(message.id));
    if (done.length === 0) return;
    const occasion = faults.occasion(`off|${module.name}|${done[0]?.receipt}`);
    const spare = done.every(({ message }) => message.receives <= Math.max(1, this.#options.inbox.maxReceiveCount - 4));
    if (spare && faults.strikes('undeleted', occasion)) {
      this.#world.tell(`${module.name}/${number}`, 'is done, and its messages stay in the queue', true);
      return;
    }
    schedule.in(1, () => {
      for (const { receipt } of done) queue.delete(receipt);
    });
  }
}
