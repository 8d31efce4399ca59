import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a second command needs to find a running target. */
export interface TargetState {
  /** The guard: ending it ends the server and all its children. */
  readonly pid: number;
  readonly port: number;
  readonly region: string;
  readonly token: string;
  readonly version: string;
  readonly ownerPid: number;
  readonly keepAlive: boolean;
  readonly keepState: boolean;
  readonly startedAt: string;
}

export function stateFile(folder: string): string {
  return join(folder, 'target.json');
}

export async function readState(folder: string): Promise<TargetState | undefined> {
  const text = await readFile(stateFile(folder), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as Partial<TargetState>;
    if (Number.isInteger(state.pid) && Number.isInteger(state.port) && state.token) return state as TargetState;
  } catch {
    // A broken file names no target: forgotten like a stale one.
  }
  await rm(stateFile(folder), { force: true });
  return undefined;
}

export async function writeState(folder: string, state: TargetState): Promise<void> {
  const draft = `${stateFile(folder)}.${state.token}`;
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`);
  await rename(draft, stateFile(folder));
}

/** Removes the file if it still speaks of this start. */
export async function removeState(folder: string, token: string): Promise<void> {
  const state = await readState(folder);
  if (state?.token === token) await rm(stateFile(folder), { force: true });
}
