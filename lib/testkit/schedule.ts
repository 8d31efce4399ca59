/** Something that will happen at a moment of virtual time. */
export interface Planned {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/** Virtual time and what is planned in it: one thing after another, in an order that a run repeats. */
export class Schedule {
  readonly #heap: Planned[] = [];
  #now: number;
  #order = 0;

  /** @param start - milliseconds since the epoch */
  constructor(start: number) {
    this.#now = start;
  }

  get now(): number {
    return this.#now;
  }

  /** Plans `run` in so many milliseconds. */
  in(ms: number, run: () => void): Planned {
    const planned = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#push(planned);
    return planned;
  }

  cancel(planned: Planned): void {
    planned.run = undefined;
  }

  /** Takes the next thing that has not been called off, and sets the clock to it; undefined when nothing is left. */
  next(): (() => void) | undefined {
    for (let planned = this.#pop(); planned; planned = this.#pop()) {
      if (!planned.run) continue;
      this.#now = planned.at;
      return planned.run;
    }
    return undefined;
  }

  #push(planned: Planned): void {
    const heap = this.#heap;
    let i = heap.push(planned) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as Planned;
      if (!before(planned, above)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = planned;
  }

  #pop(): Planned | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || !last) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as Planned, heap[child] as Planned)) child++;
      if (!before(heap[child] as Planned, last)) break;
      heap[i] = heap[child] as Planned;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

const before = (a: Planned, b: Planned) => a.at < b.at || (a.at === b.at && a.order < b.order);
