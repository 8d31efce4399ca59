import { HeadraceError } from '../../contract/errors';
import { runFailed } from '../../module/run-failed';
import type { SeenEvent, WaitOptions } from '../stage';

const DEFAULT_TIMEOUT_SECONDS = 60;

/** Every event that has passed, for those who look back and those who wait. */
export class EventLog implements AsyncIterable<SeenEvent> {
  private readonly seen: SeenEvent[] = [];
  /** Ids of failures somebody waited for: they are no surprise. */
  private readonly expected = new Set<string>();
  private readonly signal: AbortSignal;
  private wakers: (() => void)[] = [];

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', () => this.wake(), { once: true });
  }

  public add(event: SeenEvent): void {
    this.seen.push(event);
    this.wake();
  }

  public all(): readonly SeenEvent[] {
    return this.seen;
  }

  /** From the first event on, until the signal is aborted. */
  public async *[Symbol.asyncIterator](): AsyncIterator<SeenEvent> {
    for (let i = 0; ; i++) {
      while (i >= this.seen.length) {
        if (this.signal.aborted) return;
        await this.next();
      }
      yield this.seen[i] as SeenEvent;
    }
  }

  /** @throws HeadraceError HR507 when no such event comes in time, HR504 when a run fails that nobody waits for */
  public async waitFor(predicate: (event: SeenEvent) => boolean, options: WaitOptions): Promise<SeenEvent> {
    const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = options;
    const until = Date.now() + timeoutSeconds * 1000;
    for (let i = 0; ; i++) {
      while (i >= this.seen.length) {
        const left = until - Date.now();
        if (left <= 0 || this.signal.aborted) throw this.tooLate(options, timeoutSeconds);
        await this.next(left);
      }
      const event = this.seen[i] as SeenEvent;
      if (predicate(event)) {
        this.expected.add(event.id);
        return event;
      }
      if (event.type === runFailed.type && !this.expected.has(event.id)) throw failedRun(event);
    }
  }

  private tooLate({ describe }: WaitOptions, seconds: number): HeadraceError {
    const last = this.seen.slice(-3).map(({ type, subject }) => `${type} ${subject}`);
    return new HeadraceError('HR507', {
      what: this.signal.aborted ? `Stopped while waiting for ${describe}.` : `Waited ${seconds} s for ${describe}.`,
      got: last.length > 0 ? `last seen: ${last.join(', ')}` : 'no event at all',
      next: 'npx headrace dlq list and npx headrace runs list show where it got stuck.',
    });
  }

  private next(milliseconds?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
      this.wakers.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private wake(): void {
    const waiting = this.wakers;
    this.wakers = [];
    for (const wakeOne of waiting) wakeOne();
  }
}

function failedRun({ data, subject }: SeenEvent): HeadraceError {
  return new HeadraceError('HR504', {
    what: `The run ${subject} failed in ${String(data.step)}: ${String(data.error)}: ${String(data.cause)}`,
    next: `npx headrace runs show ${subject}`,
  });
}
