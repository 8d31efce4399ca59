import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import { ensureWritable } from '../cache-folder';
import { asset, lockChecksum, MINISTACK_VERSION } from './assets';
import { findPython, type PythonProbe, probePython } from './python';

const NEEDED_BYTES = 300 * 1024 * 1024;

export interface InstallRequest {
  /** Folder that holds the environment, shared by all targets of a project. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onProgress: (message: string) => void;
  readonly probe?: PythonProbe;
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** Installs MiniStack unless it is there, and returns the Python that runs it. No network and no pip when it is. */
export async function ensureInstalled(request: InstallRequest): Promise<string> {
  const checksum = lockChecksum();
  const environment = join(request.folder, `venv-${checksum.slice(0, 12)}`);
  const python = join(environment, 'bin', 'python');
  if (await isInstalled(environment, checksum)) return python;

  refuseWindows();
  const base = await findPython(request.env, request.probe ?? probePython);
  await ensureWritable(request.folder);
  await checkDisk(request);
  request.onProgress(`installing the local AWS target (MiniStack ${MINISTACK_VERSION}, once)`);
  const args = ['-I', asset('install.py'), environment, asset('requirements.lock.txt'), checksum];
  const { code, output } = await run(base, args, request.env);
  if (code === 0 && (await isInstalled(environment, checksum))) return python;
  throw await failed(request.folder, code, output);
}

/** The guard relies on process groups and file locks, which Windows does not have. */
function refuseWindows(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') return;
  throw new HeadraceError('HR402', {
    what: 'The local target does not run on Windows itself.',
    got: platform,
    allowed: 'Linux, macOS, or Windows Subsystem for Linux',
    next: 'Run the command in WSL, or name a running emulator in HEADRACE_ENDPOINT.',
  });
}

async function isInstalled(environment: string, checksum: string): Promise<boolean> {
  const marker = await readFile(join(environment, 'headrace-lock.sha256'), 'utf8').catch(() => undefined);
  return marker === checksum && existsSync(join(environment, 'bin', 'python'));
}

async function checkDisk({ folder, freeBytes = freeBytesOf }: InstallRequest): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= NEEDED_BYTES) return;
  throw new HeadraceError('HR404', {
    what: `Not enough disk space in ${folder} to install the local target.`,
    got: `${Math.floor(free / 1024 / 1024)} MB free`,
    allowed: `at least ${NEEDED_BYTES / 1024 / 1024} MB`,
    next: 'Free some space, or set HEADRACE_CACHE to a folder on another disk.',
  });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

async function failed(folder: string, code: number | null, output: string): Promise<HeadraceError> {
  const told = withoutHosts(output).trimEnd();
  const log = join(folder, 'install.log');
  await writeFile(log, `${told}\n`).catch(() => undefined);
  const last = told.split('\n').slice(-6).join('\n  ');
  return new HeadraceError('HR402', {
    what: `Installing the local target failed${code === null ? '' : ` with exit code ${code}`}. The last lines of pip:\n  ${last}\n`,
    next: `${hint(told)} Then run the command again; pip's whole output is in ${log}.`,
  });
}

function hint(output: string): string {
  if (/No space left/i.test(output)) return 'Free some disk space, or set HEADRACE_CACHE to a folder on another disk.';
  if (/connection|resolve|timed out|proxy|SSL|No matching distribution/i.test(output)) {
    return "Check the network; behind a proxy or a mirror set pip's own settings (HTTPS_PROXY, PIP_INDEX_URL, PIP_CERT).";
  }
  return 'Check that this Python can install packages, or name another one in HEADRACE_PYTHON.';
}

/** Package index addresses can carry credentials, and say nothing the reader needs. */
function withoutHosts(output: string): string {
  return output
    .replace(/\bhttps?:\/\/[^\s'",)]+/g, '<package index>')
    .replace(/host='[^']*'/g, "host='<package index>'");
}
