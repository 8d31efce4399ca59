import { setTimeout as sleep } from 'node:timers/promises';
import { HeadraceError } from '../../contract/errors';
import { answersAs, isAlive, isGuard } from './identity';
import { STOP_TIMEOUT_MS } from './launch';
import { readState, removeState, stateFile, type TargetState } from './state-file';

const PATIENCE_MS = 3000;

/** The target that runs in this folder, if any. A file that an earlier run left behind is removed. */
export async function findRunning(folder: string): Promise<TargetState | undefined> {
  const state = await readState(folder);
  if (state === undefined) return undefined;
  if (await answersAs(state.port, state.token)) return state;
  if (!(await mayBeOurs(state))) {
    await removeState(folder, state.token);
    return undefined;
  }
  return (await answersAs(state.port, state.token, PATIENCE_MS))
    ? state
    : Promise.reject(await inTheWay(folder, state));
}

/** Waits for another process that is just starting the target of this folder. */
export async function waitForRunning(folder: string, timeoutMs: number): Promise<TargetState | undefined> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const state = await findRunning(folder);
    if (state) return state;
    await sleep(100);
  }
  return undefined;
}

/** Ends the target of this folder with all its processes, whoever started it; also one that hangs. */
export async function stopRunning(folder: string, timeoutMs = STOP_TIMEOUT_MS): Promise<boolean> {
  const state = await readState(folder);
  if (state === undefined) return false;
  const ours =
    (await mayBeOurs(state)) && ((await answersAs(state.port, state.token)) || (await isGuard(state.pid, state.token)));
  if (ours) {
    const gone = (await signalled(state, 'SIGTERM', timeoutMs)) || (await signalled(state, 'SIGKILL', 2000));
    if (!gone) throw await inTheWay(folder, state);
  } else if (await mayBeOurs(state)) {
    throw await inTheWay(folder, state);
  }
  await removeState(folder, state.token);
  return Boolean(ours);
}

async function mayBeOurs({ pid, token }: TargetState): Promise<boolean> {
  return isAlive(pid) && (await isGuard(pid, token)) !== false;
}

async function signalled(state: TargetState, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  try {
    process.kill(state.pid, signal);
  } catch {
    return !isAlive(state.pid);
  }
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (!(await mayBeOurs(state))) return true;
    await sleep(50);
  }
  return false;
}

async function inTheWay(folder: string, state: TargetState): Promise<HeadraceError> {
  const known = await isGuard(state.pid, state.token);
  return new HeadraceError('HR406', {
    what: `A local target of an earlier run (process ${state.pid}, port ${state.port}) is alive but does not answer.`,
    got: stateFile(folder),
    next: known
      ? 'Run npx headrace down to end it.'
      : `If process ${state.pid} is no longer a target of Headrace, delete that file and run the command again.`,
  });
}
