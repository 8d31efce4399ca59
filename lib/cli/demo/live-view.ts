import { shortData } from '../describe-event';
import type { Output } from '../output';
import type { SeenEvent } from '../stage';
import { type Cell, cut, wrap } from '../table';
import type { StageEvent, StageTotal } from './stages';

type Totals = () => readonly StageTotal[];

/** What the audience sees while the story plays. */
export interface LiveView {
  event(told: StageEvent): void;
  say(line: string): void;
  /** Leaves the last picture on the screen. */
  end(): void;
}

export function liveView(out: Output, began: number, totals: Totals): LiveView {
  return out.live ? new TableView(out, totals) : new LineView(out, began);
}

/** Lines of one kind of event between two sayings; what comes after them is counted. */
const LINES_OF_A_KIND = 5;

/** One line an event: seconds since the start, stage, event, how long, what it says and why. */
class LineView implements LiveView {
  private readonly out: Output;
  private readonly began: number;
  private readonly shown = new Map<string, number>();

  constructor(out: Output, began: number) {
    this.out = out;
    this.began = began;
  }

  public event({ event, stage = 'outside', seconds }: StageEvent): void {
    const kind = `${stage.padEnd(17)} ${event.type.padEnd(20)}`;
    const count = (this.shown.get(kind) ?? 0) + 1;
    this.shown.set(kind, count);
    if (count > LINES_OF_A_KIND) return;
    const at = `${((Date.parse(event.time) - this.began) / 1000).toFixed(1)} s`.padStart(8);
    const took = seconds === undefined ? '' : `${seconds.toFixed(2)} s`;
    const line = `${at}  ${kind} ${took.padStart(8)}  ${event.subject}  ${shortData(event, SPARED)}`;
    this.write(cut(line, this.out.width).trimEnd());
  }

  public say(line: string): void {
    this.end();
    this.write(line);
  }

  public end(): void {
    for (const [kind, count] of this.shown) {
      if (count > LINES_OF_A_KIND) this.write(`${' '.repeat(10)}${kind}           and ${count - LINES_OF_A_KIND} more`);
    }
    this.shown.clear();
  }

  private write(line: string): void {
    if (this.out.json) this.out.note(line);
    else this.out.line(line);
  }
}

/** Fields that name things rather than say something. */
const SPARED = ['run', 'dataset', 'workflow', 'request_id', 'feedback_id', 'timestamp', 'dataset_version'];

const REDRAW_EVERY_MS = 100;
/** Columns from which on the table shows how long each stage was busy. */
const WIDE = 100;

/** A table of stages that is updated in place; what is said stands above it and scrolls. */
class TableView implements LiveView {
  private readonly out: Output;
  private readonly totals: Totals;
  private readonly last = new Map<string, SeenEvent>();
  private height = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(out: Output, totals: Totals) {
    this.out = out;
    this.totals = totals;
  }

  public event({ event, stage }: StageEvent): void {
    if (stage === undefined) return;
    this.last.set(stage, event);
    this.timer ??= setTimeout(() => this.redraw(), REDRAW_EVERY_MS);
  }

  public say(line: string): void {
    this.erase();
    for (const each of wrap(line, this.out.width)) this.out.line(each);
    this.draw();
  }

  public end(): void {
    this.redraw();
    this.height = 0;
  }

  private redraw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.erase();
    this.draw();
  }

  private erase(): void {
    if (this.height > 0) this.out.raw(`\u001b[${this.height}A\u001b[0J`);
    this.height = 0;
  }

  private draw(): void {
    if (this.last.size === 0) return;
    const header = ['stage', 'events', ...(this.wide ? ['busy'] : []), 'last event', 'what it says'];
    const lines = ['', ...this.out.table(header, this.rows())];
    for (const line of lines) this.out.raw(`${line}\n`);
    this.height = lines.length;
  }

  /** In a narrow terminal, what an event says needs the room. */
  private get wide(): boolean {
    return this.out.width >= WIDE;
  }

  private rows(): Cell[][] {
    const { style } = this.out;
    return this.totals().map(({ name, seconds, events }) => {
      const event = this.last.get(name);
      return [
        { text: name, paint: style.cyan },
        String(events).padStart(6),
        ...(this.wide ? [`${seconds.toFixed(2)} s`.padStart(8)] : []),
        event?.type ?? '',
        { text: cut(event ? shortData(event, SPARED) : '', 200), paint: style.dim },
      ];
    });
  }
}
