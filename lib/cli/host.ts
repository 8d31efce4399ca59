/** Asks a yes-or-no question. @returns false when nobody is there to answer */
export type Confirm = (question: string) => Promise<boolean>;

/** What a command may know of the world around it. */
export interface Interaction {
  /** Where relative paths of the command line start. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether a person can answer a question. */
  readonly interactive: boolean;
  /** All of standard input, as text. */
  readInput(): Promise<string>;
}

/** Where text goes. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What the command line runs in: the process, or a test. */
export interface Host extends Interaction {
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Reads one line after showing `question`. */
  ask(question: string): Promise<string>;
}
