import { createInterface } from 'node:readline/promises';
import type { Host } from './host';
import { QUIET_SDK } from './quiet-sdk';

/** Exit code of a program that was interrupted, as shells count it. */
export const INTERRUPTED = 130;

/**
 * The process as a host. The first Ctrl-C (or SIGTERM, SIGHUP, or a reader that has gone) aborts `signal`, so that
 * commands can clean up; the second ends the process at once.
 */
export function processHost(): Host {
  Object.assign(process.env, QUIET_SDK);
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    controller.abort();
  });
  return {
    cwd: process.cwd(),
    env: process.env,
    signal: controller.signal,
    interactive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    stdout: process.stdout,
    stderr: process.stderr,
    readInput,
    ask,
  };
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await reader.question(question);
  } finally {
    reader.close();
  }
}
