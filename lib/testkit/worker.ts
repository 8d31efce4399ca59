import type { Context as LambdaContext, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Handler, runOn } from '../runtime';
import { Caller } from './caller';
import type { Call } from './calls';
import type { CallFault } from './faults';
import type { Message } from './queue';
import type { Planned } from './schedule';
import type { Inbox, World } from './world';

/** A message in hand. */
export interface InHand {
  readonly message: Message;
  readonly receipt: string;
}

export interface WorkerOptions {
  readonly inbox: Inbox;
  readonly handler: Handler;
  readonly batch: readonly InHand[];
  /** From 1, of its module. */
  readonly number: number;
  readonly env: (name: string) => string | undefined;
  /** Called once: with the messages that failed, or undefined when all of them did. */
  readonly onEnd: (failed: ReadonlySet<string> | undefined) => void;
}

/** Heartbeats after which a lease runs out, as in the runtime. */
const MISSED_BEATS = 3;

/** Injected deaths of one event in one module, at most: what is left of its attempts belongs to the logic. */
const MOST_DEATHS = 2;

/** Receives that are left for what follows from a fault: leases that run out, repeated looks. */
const SPARE_RECEIVES = 4;

/** One invocation of a function. */
export class Worker extends Caller {
  /** Whether it does something that the simulator cannot see come to an end. */
  hangs = false;
  readonly #timeoutMs: number;
  protected readonly name: string;
  readonly #options: WorkerOptions;
  readonly #started: number;
  #deadline: number;
  #alarm: Planned;
  #delayed = false;

  constructor(world: World, options: WorkerOptions) {
    const { module } = options.inbox;
    super(world, `${module.name}/${options.number}`);
    this.name = module.name;
    this.#options = options;
    this.#timeoutMs = module.timeoutSeconds * 1000;
    this.#started = world.schedule.now;
    this.#deadline = this.#started + this.#timeoutMs;
    this.#alarm = world.schedule.in(this.#timeoutMs, () => this.#timeOut());
  }

  get runs(): boolean {
    return this.alive;
  }

  start(): void {
    const { batch, handler, inbox } = this.#options;
    const told = batch.map(
      ({ message }) => `${message.label}${message.receives > 1 ? ` (receive ${message.receives})` : ''}`,
    );
    this.world.tell(this.who, `receives ${told.join(', ')}`);
    const event: SQSEvent = { Records: batch.map((each) => recordOf(each, inbox)) };
    // It begins in surroundings of its own, and so does everything it awaits.
    runOn(this.surroundings(), () => handler(event, this.#lambda())).then(
      (answer) => this.#finish(answer as SQSBatchResponse),
      (error: Error) => {
        this.world.tell(this.who, `fails: ${error.message}`);
        this.#finish(undefined);
      },
    );
    this.world.woke = true;
  }

  protected env(name: string): string | undefined {
    return this.#options.env(name);
  }

  protected async effect(name: string, token: string, fn: (token: string) => Promise<unknown>): Promise<unknown> {
    const { monitor } = this.world;
    // Tokens end in the name, and begin with what the ledger knows the work by.
    const record = monitor.records.get(token.slice(0, -name.length - 1));
    if (record) monitor.effect(this.who, record, { name, token });
    const result = await fn(token);
    this.world.noteEffect({ module: this.name, kind: 'once', name, token });
    this.world.tell(this.who, `has done ${name}${record ? ` of ${record.label}` : ''}`);
    return result;
  }

  protected mayMeet(fault: CallFault, call: Pick<Call, 'name'>): boolean {
    if (fault === 'refuse') return call.name === 'EventBridge PutEvents';
    const { maxReceiveCount } = this.#options.inbox;
    const { batch } = this.#options;
    if (batch.some(({ message }) => message.receives > Math.max(1, maxReceiveCount - SPARE_RECEIVES))) return false;
    if (!isCostly(fault, call)) return true;
    const most = Math.min(MOST_DEATHS, this.#options.inbox.module.retry.attempts - 1);
    if (batch.some(({ message }) => (this.world.deaths.get(this.#key(message)) ?? 0) >= most)) return false;
    for (const { message } of batch) {
      this.world.deaths.set(this.#key(message), (this.world.deaths.get(this.#key(message)) ?? 0) + 1);
    }
    return true;
  }

  /** Often just when another has taken the work up again, since that is when it hurts. */
  protected lateness(occasion: string): number {
    const { dice, schedule } = this.world;
    const { heartbeatSeconds } = this.#options.inbox.module;
    const leaseMs = heartbeatSeconds === undefined ? this.#timeoutMs + 1_000 : heartbeatSeconds * MISSED_BEATS * 1_000;
    const backMs = this.#started + leaseMs + 1_000 - schedule.now;
    if (backMs > 0 && dice.roll(`when|${occasion}`) < 0.5) return backMs + dice.between(`delay|${occasion}`, 0, 200);
    return dice.between(`delay|${occasion}`, this.#timeoutMs, 3 * this.#timeoutMs);
  }

  protected die(how: string): void {
    if (!this.alive) return;
    this.world.tell(this.who, how, true);
    this.#stop();
    this.#options.onEnd(undefined);
  }

  protected stall(ms: number, occasion: string): void {
    this.#delayed = true;
    if (this.world.dice.roll(`zombie|${occasion}`) < 0.5) return;
    // The whole machine stands still, timers and all, and goes on when nobody expects it any more.
    this.world.tell(this.who, 'stands still meanwhile, and will not be ended', true);
    this.frozenUntil = this.world.schedule.now + ms;
    this.#deadline += ms;
    this.world.schedule.cancel(this.#alarm);
    this.#alarm = this.world.schedule.in(this.#deadline - this.world.schedule.now, () => this.#timeOut());
  }

  #key(message: Message): string {
    return `${this.name}#${message.workId}`;
  }

  #timeOut(): void {
    if (!this.#delayed) {
      for (const { message } of this.#options.batch) {
        const record = this.world.monitor.recordOf(this.name, message.workId);
        if (record) record.hung++;
      }
    }
    this.world.tell(this.who, 'is ended: its time is up', this.#delayed);
    this.#stop();
    this.#options.onEnd(undefined);
  }

  #finish(answer: SQSBatchResponse | undefined): void {
    if (!this.alive) return;
    this.#stop();
    this.#options.onEnd(answer && new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)));
  }

  #stop(): void {
    this.end();
    this.world.schedule.cancel(this.#alarm);
  }

  #lambda(): LambdaContext {
    const { schedule } = this.world;
    return {
      functionName: this.name,
      functionVersion: '1',
      invokedFunctionArn: `arn:aws:lambda:eu-west-1:111122223333:function:${this.name}`,
      memoryLimitInMB: String(this.#options.inbox.module.memoryMb),
      awsRequestId: this.who,
      logGroupName: this.name,
      logStreamName: this.who,
      callbackWaitsForEmptyEventLoop: true,
      getRemainingTimeInMillis: () => this.#deadline - schedule.now,
      done: () => undefined,
      fail: () => undefined,
      succeed: () => undefined,
    };
  }
}

/** Whether the attempt counts although the logic did not fail: its worker is gone, or could not give the lease back. */
function isCostly(fault: CallFault, { name }: Pick<Call, 'name'>): boolean {
  return fault === 'crash' || fault === 'delay' || name.startsWith('DynamoDB');
}

function recordOf({ message, receipt }: InHand, { module }: Inbox): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: receipt,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receives),
      SentTimestamp: String(message.sentAt),
      SenderId: 'events.amazonaws.com',
      ApproximateFirstReceiveTimestamp: String(message.firstReceived),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:eu-west-1:111122223333:${module.name}`,
    awsRegion: 'eu-west-1',
  };
}
