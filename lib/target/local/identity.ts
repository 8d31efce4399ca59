import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { call } from '../http';

/** Whether the server on the port is the one started with this token. */
export async function answersAs(port: number, token: string, timeoutMs = 1000): Promise<boolean> {
  try {
    const { body } = await call(`http://127.0.0.1:${port}/_headrace/target`, { timeoutMs });
    return (JSON.parse(body) as { token?: string }).token === token;
  } catch {
    return false;
  }
}

export async function isReady(port: number, token: string): Promise<boolean> {
  if (!(await answersAs(port, token))) return false;
  const answer = await call(`http://127.0.0.1:${port}/_ministack/health`).catch(() => undefined);
  return answer?.status === 200;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a live process is the guard of this start: its command line carries the token. Undefined: no way to tell. */
export async function isGuard(pid: number, token: string): Promise<boolean | undefined> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => processListing(pid));
  return commandLine?.includes(token);
}

function processListing(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-ww', '-o', 'args=', '-p', String(pid)], (error, stdout) => {
      resolve(error?.code === 'ENOENT' ? undefined : stdout);
    });
  });
}
