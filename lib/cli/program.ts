import { Command as Commander, InvalidArgumentError, Option } from 'commander';
import type { Command, NumberSpec, OptionSpec } from './command';

/** Called when commander has parsed a command line. */
export type Invoke = (command: Command, args: readonly string[], options: Record<string, unknown>) => Promise<void>;

export interface ProgramOptions {
  readonly commands: readonly Command[];
  readonly groups: Readonly<Record<string, string>>;
  readonly version: string;
  readonly invoke: Invoke;
  readonly write: (text: string) => void;
}

/** The commander program that the declared commands make. It throws instead of ending the process. */
export function buildProgram(options: ProgramOptions): Commander {
  const program = new Commander('headrace')
    .description('Event-driven orchestration for AI pipelines, in your own AWS account')
    .version(options.version)
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nStart here:\n  npx headrace demo          the whole pipeline on this machine, in a minute\n',
    );
  const groups = new Map<string, Commander>();
  for (const [name, summary] of Object.entries(options.groups)) {
    groups.set(name, new Commander(name).description(summary).helpCommand(false));
  }
  for (const command of options.commands) {
    const [first = '', second] = command.name.split(' ');
    const group = second === undefined ? undefined : groups.get(first);
    if (group && !program.commands.includes(group)) program.addCommand(group);
    const built = build(command, second ?? first, options.invoke);
    (group ?? program).addCommand(built, { isDefault: second === 'list' });
  }
  settle(program, options.write);
  return program;
}

/** Every command of the tree throws on errors and writes help through `write`. */
function settle(command: Commander, write: (text: string) => void): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined, outputError: () => undefined })
    .configureHelp({ showGlobalOptions: false });
  for (const child of command.commands) settle(child as Commander, write);
}

function build(command: Command, name: string, invoke: Invoke): Commander {
  const built = new Commander(name).summary(command.summary).description(describe(command));
  for (const [argument, { summary, optional }] of Object.entries(command.args)) {
    built.argument(optional ? `[${argument}]` : `<${argument}>`, summary);
  }
  for (const [option, spec] of Object.entries(command.options)) built.addOption(toOption(option, spec));
  built
    .option('--target <name>', 'local, localstack, aws, or the URL of an emulator (default: local)')
    .option('--project <folder>', 'the project (default: the nearest folder upwards with lambdas/)')
    .option('--stack <name>', "the deployed stack (default: the project's own)")
    .option('--json', 'print one JSON value to stdout and nothing else')
    .option('--debug', 'show where an unknown error comes from')
    .addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}`).join('\n')}\n`)
    .action(async () => invoke(command, built.processedArgs as string[], built.opts()));
  return built;
}

const describe = ({ summary, details }: Command) => (details ? `${summary}.\n\n${details}` : `${summary}.`);

function toOption(name: string, spec: OptionSpec): Option {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  switch (spec.kind) {
    case 'flag':
      return new Option(flag, spec.summary).default(false, '');
    case 'text':
      return new Option(`${flag} ${spec.value}`, spec.summary);
    case 'choice':
      return new Option(`${flag} <${spec.choices.join('|')}>`, spec.summary).argParser(choice(spec.choices));
    case 'number':
      return new Option(`${flag} ${spec.value}`, spec.summary).argParser(number(spec));
  }
}

const choice = (choices: readonly string[]) => (value: string) => {
  if (!choices.includes(value)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  return value;
};

const number =
  ({ from, to, whole = true }: NumberSpec) =>
  (value: string) => {
    const parsed = Number(value);
    const fits = value.trim() !== '' && parsed >= from && parsed <= to && (!whole || Number.isInteger(parsed));
    if (!fits) throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number from ${from} to ${to}.`);
    return parsed;
  };
