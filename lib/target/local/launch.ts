import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { asset } from './assets';
import { isReady } from './identity';
import { logFile } from './log';

export interface LaunchRequest {
  readonly folder: string;
  readonly python: string;
  readonly port: number;
  readonly token: string;
  readonly env: Record<string, string>;
  readonly readyTimeoutMs: number;
}

export type Launch =
  | { readonly outcome: 'ready'; readonly guard: ChildProcess }
  /** Another target has the folder. */
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'exited'; readonly code: number | null }
  | { readonly outcome: 'timeout' };

const FOLDER_TAKEN = 75;
const POLL_MS = 40;

/** Longer than the guard itself waits for a server that saves its state. */
export const STOP_TIMEOUT_MS = 40_000;

/** Starts guard and server and waits until the server answers. What is not ready is ended before this returns. */
export async function launch(request: LaunchRequest): Promise<Launch> {
  const guard = await spawnGuard(request);
  const deadline = Date.now() + request.readyTimeoutMs;
  while (guard.exitCode === null && guard.signalCode === null) {
    if (await isReady(request.port, request.token)) return { outcome: 'ready', guard };
    if (Date.now() > deadline) {
      await endGuard(guard);
      return { outcome: 'timeout' };
    }
    await sleep(POLL_MS);
  }
  return guard.exitCode === FOLDER_TAKEN ? { outcome: 'taken' } : { outcome: 'exited', code: guard.exitCode };
}

/** Lets the target outlive this process, once this has resolved. */
export function letOutlive(guard: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (guard.stdin) guard.stdin.end('keep\n', () => resolve());
    else resolve();
  });
}

export async function endGuard(guard: ChildProcess, timeoutMs = STOP_TIMEOUT_MS): Promise<void> {
  if (guard.exitCode !== null || guard.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  guard.kill('SIGTERM');
  const late = setTimeout(() => guard.kill('SIGKILL'), timeoutMs);
  guard.ref();
  await gone;
  clearTimeout(late);
}

async function spawnGuard({ folder, python, token, env }: LaunchRequest): Promise<ChildProcess> {
  const log = await open(logFile(folder), 'a');
  try {
    // A session of its own: Ctrl-C reaches us only, and we decide what becomes of the target.
    const stdio = ['pipe', log.fd, log.fd] as const;
    const guard = spawn(python, ['-I', asset('guard.py'), folder, token], { env, detached: true, stdio: [...stdio] });
    guard.on('error', () => undefined);
    guard.stdin?.on('error', () => undefined);
    guard.unref();
    (guard.stdin as Socket | null)?.unref();
    return guard;
  } finally {
    await log.close();
  }
}
