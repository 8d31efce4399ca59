import picocolors from 'picocolors';
import type { Host, Screen } from './host';
import { type Cell, table } from './table';

export type Style = ReturnType<typeof picocolors.createColors>;

export interface OutputOptions {
  readonly json: boolean;
  readonly host: Pick<Host, 'stdout' | 'stderr' | 'env'>;
}

/**
 * What a command says. Results go to stdout, progress to stderr; under `--json` stdout carries JSON and nothing else.
 */
export class Output {
  public readonly json: boolean;
  /** Colours; they do nothing when piped, under NO_COLOR or `--json`. */
  public readonly style: Style;
  /** Columns of the terminal; `Infinity` when there is none: what is piped is not cut. */
  public readonly width: number;
  /** Whether lines can be rewritten in place. */
  public readonly live: boolean;

  private readonly stdout: Screen;
  private readonly stderr: Screen;
  private readonly progressLive: boolean;
  private progressShown = false;

  constructor({ json, host }: OutputOptions) {
    this.json = json;
    this.stdout = host.stdout;
    this.stderr = host.stderr;
    this.width = host.stdout.isTTY === true ? (host.stdout.columns ?? 140) : Number.POSITIVE_INFINITY;
    const plain = host.env.TERM === 'dumb';
    this.live = !json && host.stdout.isTTY === true && !plain;
    this.progressLive = host.stderr.isTTY === true && !plain && !host.env.CI;
    this.style = picocolors.createColors(!json && wantsColour(host.env, this.live));
  }

  /** One line of a result for people. Nothing under `--json`. */
  public line(text = ''): void {
    this.clearProgress();
    if (!this.json) this.stdout.write(`${text}\n`);
  }

  /** The result: JSON under `--json`, else the lines that `render` makes of it. */
  public result<T>(value: T, render: (value: T) => readonly string[] | string): void {
    this.clearProgress();
    if (this.json) {
      this.stdout.write(`${JSON.stringify(value)}\n`);
      return;
    }
    const lines = render(value);
    for (const line of typeof lines === 'string' ? [lines] : lines) this.stdout.write(`${line}\n`);
  }

  /** Text that must come out as it stands, such as a diagram. */
  public raw(text: string): void {
    this.clearProgress();
    this.stdout.write(text);
  }

  /** Rows as aligned columns, cut to the width of the terminal. */
  public table(header: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
    return table({ header, rows, width: this.width, style: this.style });
  }

  /** What is going on while it takes time. On a terminal each message replaces the one before. */
  public progress(message: string): void {
    if (!this.progressLive) {
      this.stderr.write(`${message}\n`);
      return;
    }
    const room = (this.stderr.columns ?? 100) - 1;
    this.stderr.write(`\r\u001b[2K${this.style.dim(message.slice(0, room))}`);
    this.progressShown = true;
  }

  /** A line for people that is no result: to stderr, kept on the screen. */
  public note(text: string): void {
    this.clearProgress();
    this.stderr.write(`${text}\n`);
  }

  /** Removes the progress line, so that what follows starts on a clean one. */
  public clearProgress(): void {
    if (!this.progressShown) return;
    this.stderr.write('\r\u001b[2K');
    this.progressShown = false;
  }
}

function wantsColour(env: NodeJS.ProcessEnv, live: boolean): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return live;
}
