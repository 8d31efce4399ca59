import { CommanderError } from 'commander';
import { version } from 'headrace/package.json';
import { HeadraceError } from '../contract/errors';
import type { Command, CommonOptions, Context } from './command';
import { COMMANDS, GROUPS } from './commands';
import type { Host } from './host';
import { Output } from './output';
import type { Pipeline } from './pipeline';
import { INTERRUPTED } from './process-host';
import { buildProgram } from './program';
import { projectFolder, stackName } from './project-folder';
import { EXIT, reportError } from './report-error';
import { closest } from './suggest';

/**
 * Runs one command line.
 *
 * @param argv words after `headrace`
 * @returns the exit code: 0 done, 1 failed, 2 wrong use, 130 interrupted
 */
export async function main(argv: readonly string[], host: Host): Promise<number> {
  let code: number = EXIT.done;
  const out = new Output({ json: argv.includes('--json'), host });
  const program = buildProgram({
    commands: COMMANDS,
    groups: GROUPS,
    version,
    write: (text) => host.stdout.write(text),
    invoke: async (command, args, options) => {
      code = await invoke(command, { args, options }, host);
    },
  });
  try {
    refuseUnknownCommand(argv);
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const refused = error instanceof CommanderError ? wrongUse(error, argv) : error;
    return reportError(refused, out, argv.includes('--debug'));
  }
}

interface Parsed {
  readonly args: readonly string[];
  readonly options: Record<string, unknown>;
}

async function invoke(command: Command, parsed: Parsed, host: Host): Promise<number> {
  const out = new Output({ json: parsed.options.json === true, host });
  const opened: Pipeline[] = [];
  try {
    const options = commonOptions(parsed.options, host);
    const args = Object.fromEntries(Object.keys(command.args).map((name, i) => [name, parsed.args[i]]));
    const context: Context = {
      args,
      options: { ...parsed.options, ...options },
      out,
      cwd: host.cwd,
      env: host.env,
      signal: host.signal,
      interactive: host.interactive,
      readInput: () => host.readInput(),
      confirm: (question) => confirm(question, host, out),
      connect: async () => {
        // Loaded here, because target and SDK are not needed by every command.
        const { connect } = require('./pipeline') as typeof import('./pipeline');
        const pipeline = await connect({ ...options, env: host.env });
        opened.push(pipeline);
        return pipeline;
      },
    };
    const running = command.run(context).then((code) => code ?? EXIT.done);
    return await (command.endsOnSignal ? running : Promise.race([running, interrupted(host.signal)]));
  } catch (error) {
    return reportError(error, out, parsed.options.debug === true);
  } finally {
    out.clearProgress();
    for (const { clients } of opened) clients.close();
  }
}

function commonOptions(options: Record<string, unknown>, host: Host): CommonOptions {
  const { target, project, stack } = options as Partial<Record<string, string>>;
  const folder = projectFolder(project, host.cwd);
  return {
    json: options.json === true,
    debug: options.debug === true,
    target,
    project: folder,
    stack: stackName(stack, folder),
  };
}

function interrupted(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(INTERRUPTED);
    signal.addEventListener('abort', () => resolve(INTERRUPTED), { once: true });
  });
}

async function confirm(question: string, host: Host, out: Output): Promise<boolean> {
  if (!host.interactive || out.json) return false;
  out.clearProgress();
  const answer = await host.ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/** Commander knows unknown commands of a group with a default only as excess arguments, so we look first. */
function refuseUnknownCommand([first, second]: readonly string[]): void {
  if (first === undefined || first.startsWith('-')) return;
  const names = COMMANDS.map(({ name }) => name);
  refuseUnknown(first, [...new Set(names.map((name) => name.split(' ')[0] ?? name))], 'npx headrace');
  if (!(first in GROUPS) || second === undefined || second.startsWith('-')) return;
  const members = names.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1));
  refuseUnknown(second, members, `npx headrace ${first}`);
}

function refuseUnknown(word: string, words: readonly string[], before: string): void {
  if (words.includes(word)) return;
  const near = closest(word, words);
  throw new HeadraceError('HR501', {
    what: near ? `There is no command '${word}'. Did you mean '${near}'?` : `There is no command '${word}'.`,
    allowed: words.join(', '),
    next: near ? `${before} ${near}` : `${before} --help`,
  });
}

function wrongUse(error: CommanderError, argv: readonly string[]): HeadraceError {
  const text = error.message.replace(/^error: /, '').replace(/\n\((.*)\)$/, '. $1');
  const words = argv.filter((word) => !word.startsWith('-'));
  const name = COMMANDS.map((command) => command.name).find((each) => words.join(' ').startsWith(each));
  return new HeadraceError('HR501', {
    what: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`,
    next: `npx headrace ${name ? `${name} ` : ''}--help`,
  });
}
