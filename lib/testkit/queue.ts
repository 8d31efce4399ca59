import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { Planned, Schedule } from './schedule';

/** A message in a queue. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** What the ledger knows its handling by: the event's id; its own id when there is no event in it. */
  readonly workId: string;
  /** `essay.arrived 1f3a90aa` */
  readonly label: string;
  readonly sentAt: number;
  receives: number;
  firstReceived: number;
  visibleAt: number;
  deleted: boolean;
  /** When it will be looked at again. */
  wake?: Planned;
}

/** A message in a dead letter queue. */
export interface Parked {
  readonly body: string;
  readonly workId: string;
  readonly attributes: Readonly<Record<string, MessageAttributeValue>>;
}

export interface QueueOptions {
  readonly schedule: Schedule;
  readonly maxReceiveCount: number;
  /** Called whenever a message may be received. */
  readonly wake: () => void;
  /** Called before a message goes. */
  readonly onDelete: (message: Message) => void;
  /** Called when a message was moved to the dead letter queue for its many receives. */
  readonly onRedrive: (message: Message) => void;
}

/** A queue of SQS with its dead letter queue: visibility, receipts, redrive after too many receives. */
export class Queue {
  readonly parked: Parked[] = [];
  readonly #messages = new Map<string, Message>();
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#messages.size;
  }

  get waiting(): readonly Message[] {
    return [...this.#messages.values()];
  }

  send(message: Pick<Message, 'id' | 'body' | 'workId' | 'label'>): void {
    const { now } = this.#options.schedule;
    const whole = { ...message, sentAt: now, receives: 0, firstReceived: 0, visibleAt: now, deleted: false };
    this.#messages.set(message.id, whole);
    this.#options.wake();
  }

  /** What may be received now. What was received too often moves to the dead letter queue instead. */
  visible(): Message[] {
    const { schedule, maxReceiveCount } = this.#options;
    const found: Message[] = [];
    for (const message of this.#messages.values()) {
      if (message.visibleAt > schedule.now) continue;
      if (message.receives < maxReceiveCount) found.push(message);
      else this.#redrive(message);
    }
    return found;
  }

  /** Hands a message out. @returns its receipt */
  receive(message: Message, seconds: number): string {
    const { schedule } = this.#options;
    message.receives++;
    if (message.receives === 1) message.firstReceived = schedule.now;
    this.hide(message, seconds);
    return `${message.id}:${message.receives}`;
  }

  /** The message of a receipt, as long as it is the last one that was given out for it. */
  holding(receipt: string): Message | undefined {
    const at = receipt.lastIndexOf(':');
    const message = this.#messages.get(receipt.slice(0, at));
    return message?.receives === Number(receipt.slice(at + 1)) ? message : undefined;
  }

  /** Takes the message out for good. A receipt that is no longer the last one does nothing. */
  delete(receipt: string): void {
    const message = this.holding(receipt);
    if (!message) return;
    this.#options.onDelete(message);
    this.#remove(message);
  }

  /** Nobody receives the message for so many seconds from now. */
  hide(message: Message, seconds: number): void {
    const { schedule, wake } = this.#options;
    if (message.wake) schedule.cancel(message.wake);
    message.visibleAt = schedule.now + seconds * 1000;
    message.wake = schedule.in(seconds * 1000, wake);
  }

  #redrive(message: Message): void {
    this.parked.push({ body: message.body, workId: message.workId, attributes: {} });
    this.#remove(message);
    this.#options.onRedrive(message);
  }

  #remove(message: Message): void {
    message.deleted = true;
    if (message.wake) this.#options.schedule.cancel(message.wake);
    this.#messages.delete(message.id);
  }
}
