import { spawn } from 'node:child_process';
import { ROOT } from './deployed';

/** What `headrace demo --json` prints last on stdout. */
export interface DemoSummary {
  readonly accuracy: number;
  readonly trainImages: number;
  readonly testImages: number;
  readonly quarantined: number;
  readonly modelSha256: string;
  readonly championId: string;
  readonly predictions: number;
  readonly stages: readonly { readonly name: string; readonly seconds: number; readonly events: number }[];
  readonly deploySeconds: number;
  readonly totalSeconds: number;
  readonly resumedFromCheckpoint: boolean;
}

/** Runs the demo as a user would. @returns its exit code, its last line as JSON, and all it wrote to stderr */
export async function playDemo(...options: string[]): Promise<{ code: number; summary: DemoSummary; stderr: string }> {
  const child = spawn(process.execPath, ['bin/headrace.mjs', 'demo', '--json', ...options], { cwd: ROOT });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part: Buffer) => {
    stdout += part.toString();
  });
  child.stderr.on('data', (part: Buffer) => {
    stderr += part.toString();
  });
  const code = await new Promise<number>((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  const last = stdout.trim().split('\n').at(-1) ?? '';
  return { code, summary: code === 0 ? (JSON.parse(last) as DemoSummary) : (undefined as never), stderr };
}
