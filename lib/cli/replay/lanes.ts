import type { Delivery } from './deliveries';

/** A delivery with what is known of its record in the ledger. */
export interface Waiting {
  readonly delivery: Delivery;
  /** Key of the record it is waited for. */
  readonly key: string;
  /** Fence of the record before it was sent. */
  readonly fence: number;
}

/**
 * Deliveries that wait for their turn. In a lane, which is a subject at one subscriber, they go in order, and the next
 * only when the one before has left.
 */
export class Lanes {
  readonly #lanes = new Map<string, Waiting[]>();
  /** Heads that nobody has taken yet, in the order they came. */
  readonly #ready: Waiting[] = [];
  #size = 0;

  /** Deliveries that were put in and have not left. */
  get size(): number {
    return this.#size;
  }

  put(waiting: Waiting): void {
    this.#size++;
    const lane = this.#lanes.get(waiting.delivery.lane);
    if (lane) {
      lane.push(waiting);
      return;
    }
    this.#lanes.set(waiting.delivery.lane, [waiting]);
    this.#ready.push(waiting);
  }

  /** Takes up to `limit` deliveries whose turn it is. */
  take(limit: number): Waiting[] {
    return this.#ready.splice(0, Math.max(0, limit));
  }

  /** The head of its lane is through: it is the next one's turn. */
  leave({ delivery }: Waiting): void {
    const lane = this.#lanes.get(delivery.lane) ?? [];
    lane.shift();
    this.#size--;
    if (lane[0]) this.#ready.push(lane[0]);
    else this.#lanes.delete(delivery.lane);
  }
}
