interface Line {
  readonly at: number;
  readonly who: string;
  readonly what: string;
  readonly fault: boolean;
}

/** What happened in a run, in order. */
export class Story {
  readonly #start: number;
  readonly #lines: Line[] = [];

  /** @param start - when the run begins, milliseconds since the epoch */
  constructor(start: number) {
    this.#start = start;
  }

  tell(at: number, who: string, what: string, fault = false): void {
    this.#lines.push({ at, who, what, fault });
  }

  /** One line a step: seconds since the start, who, what; an injected fault is marked with `!`. */
  text(): string {
    const width = Math.max(0, ...this.#lines.map(({ who }) => who.length));
    return this.#lines
      .map(({ at, who, what, fault }) => {
        const seconds = ((at - this.#start) / 1000).toFixed(3).padStart(10);
        return `${seconds} s ${fault ? '!' : ' '} ${who.padEnd(width)}  ${what}`;
      })
      .join('\n');
  }
}
