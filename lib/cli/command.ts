import type { Confirm, Interaction } from './host';
import type { Output } from './output';
import type { Pipeline } from './pipeline';

export interface FlagSpec {
  readonly kind: 'flag';
  readonly summary: string;
}

export interface TextSpec {
  readonly kind: 'text';
  /** How the value is called in the help: `<type>`. */
  readonly value: string;
  readonly summary: string;
}

export interface NumberSpec {
  readonly kind: 'number';
  readonly value: string;
  readonly summary: string;
  readonly from: number;
  readonly to: number;
  /** Only whole numbers. @default true */
  readonly whole?: boolean;
}

export interface ChoiceSpec<Choice extends string = string> {
  readonly kind: 'choice';
  readonly summary: string;
  readonly choices: readonly Choice[];
}

export type OptionSpec = FlagSpec | TextSpec | NumberSpec | ChoiceSpec;

/** A positional argument; `optional` ones come last. */
export interface ArgumentSpec {
  readonly summary: string;
  readonly optional?: true;
}

type OptionValue<S> = S extends FlagSpec
  ? boolean
  : S extends NumberSpec
    ? number | undefined
    : S extends ChoiceSpec<infer Choice>
      ? Choice | undefined
      : string | undefined;

type ArgumentValue<S> = S extends { readonly optional: true } ? string | undefined : string;

/** The options every command has. */
export interface CommonOptions {
  readonly json: boolean;
  readonly debug: boolean;
  readonly target: string | undefined;
  readonly project: string;
  readonly stack: string;
}

/** What a command gets: everything it may touch. */
export interface Context<Args = Record<string, string | undefined>, Options = Record<string, unknown>>
  extends Interaction {
  readonly args: Args;
  readonly options: Options & CommonOptions;
  readonly out: Output;
  readonly confirm: Confirm;
  /** The deployed pipeline with its clients. @throws HeadraceError HR408 or HR502 when there is none */
  connect(): Promise<Pipeline>;
}

export interface CommandSpec<
  Args extends Readonly<Record<string, ArgumentSpec>>,
  Options extends Readonly<Record<string, OptionSpec>>,
> {
  /** Words after `headrace`: `graph`, `runs show`. */
  readonly name: string;
  readonly summary: string;
  /** More than the summary says, shown by `--help`. */
  readonly details?: string;
  readonly args?: Args;
  readonly options?: Options;
  /** Command lines that work as they stand. */
  readonly examples: readonly string[];
  /** It ends by itself, and cleanly, once `signal` is aborted. Any other command is simply left on Ctrl-C. */
  readonly endsOnSignal?: boolean;
  /** @returns the exit code, 0 when nothing is returned */
  run(
    context: Context<
      { readonly [K in keyof Args]: ArgumentValue<Args[K]> },
      { readonly [K in keyof Options]: OptionValue<Options[K]> }
    >,
    // biome-ignore lint/suspicious/noConfusingVoidType: a command that has no exit code to report simply ends
  ): Promise<number | void>;
}

/** A command as the program sees it. */
export interface Command extends Omit<CommandSpec<Record<string, ArgumentSpec>, Record<string, OptionSpec>>, 'run'> {
  readonly args: Readonly<Record<string, ArgumentSpec>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  // biome-ignore lint/suspicious/noConfusingVoidType: as in CommandSpec
  run(context: Context): Promise<number | void>;
}

/** Declares a command: help, argument checks and the reference page come from the same object. */
export function command<
  const Args extends Readonly<Record<string, ArgumentSpec>> = Record<never, never>,
  const Options extends Readonly<Record<string, OptionSpec>> = Record<never, never>,
>(spec: CommandSpec<Args, Options>): Command {
  return { ...spec, args: spec.args ?? {}, options: spec.options ?? {} } as unknown as Command;
}
