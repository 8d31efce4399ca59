import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, LocalTarget } from '../../lib/target';
import { asset, lockChecksum } from '../../lib/target/local/assets';
import { serverEnvironment } from '../../lib/target/local/environment';
import { ensureInstalled } from '../../lib/target/local/install';
import { choosePort } from '../../lib/target/local/port';
import { findRunning, stopRunning } from '../../lib/target/local/running';
import { stateFile, type TargetState, writeState } from '../../lib/target/local/state-file';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-target-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const state = (overrides: Partial<TargetState> = {}): TargetState => ({
  pid: process.pid,
  port: 1,
  region: 'us-east-1',
  token: 'token-of-another-run',
  version: '1.5.33',
  ownerPid: 1,
  keepState: false,
  keepAlive: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  ...overrides,
});

/** A live process whose command line carries the token, as a guard's does, and that serves nothing. */
async function hangingGuard(token: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log("up")', token]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

describe('the cache folder', () => {
  test('is .headrace in the project, or what HEADRACE_CACHE says', () => {
    expect(cacheFolder('/project', {})).toBe('/project/.headrace');
    expect(cacheFolder('/project', { HEADRACE_CACHE: '/var/cache/h' })).toBe('/var/cache/h');
    expect(cacheFolder('/project', { HEADRACE_CACHE: 'tmp/h' })).toBe('/project/tmp/h');
  });

  test('fails when it cannot be written to, naming it', async () => {
    await writeFile(join(folder, 'file'), '');
    const target = new LocalTarget({ root: folder, env: { HEADRACE_CACHE: 'file' } });
    await expect(target.start()).rejects.toThrow(/HR409.*Got '.*file\/local'.*HEADRACE_CACHE/);
  });
});

describe('installing', () => {
  const request = (extra: object) => ({ folder, env: {}, onProgress: () => undefined, ...extra });

  test('fails when there is no Python, before anything is written', async () => {
    await expect(ensureInstalled(request({ probe: async () => undefined }))).rejects.toThrow(/HR401/);
    expect(existsSync(join(folder, 'install.lock'))).toBe(false);
  });

  test('fails when the disk is nearly full, with the space found and the space needed', async () => {
    const probe = async () => ({ version: [3, 12, 0] as const, canMakeVenv: true });
    const full = request({ probe, freeBytes: async () => 120 * 1024 * 1024 });
    await expect(ensureInstalled(full)).rejects.toThrow(/HR404.*120 MB free.*at least 300 MB/);
  });

  test('asks neither for Python nor for pip when the environment is complete', async () => {
    const environment = join(folder, `venv-${lockChecksum().slice(0, 12)}`);
    await mkdir(join(environment, 'bin'), { recursive: true });
    await writeFile(join(environment, 'bin', 'python'), '');
    await writeFile(join(environment, 'headrace-lock.sha256'), lockChecksum());
    const probe = jest.fn();
    await expect(ensureInstalled(request({ probe }))).resolves.toBe(join(environment, 'bin', 'python'));
    expect(probe).not.toHaveBeenCalled();
  });

  test('every package of the lock file has a version and at least one hash', async () => {
    const lock = await readFile(asset('requirements.lock.txt'), 'utf8');
    const packages = lock.split(/\n(?=\S)/).filter((entry) => !entry.startsWith('#') && entry.trim());
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter((entry) => !/^\S+==\S+ \\\n {4}--hash=sha256:[0-9a-f]{64}/.test(entry))).toEqual([]);
    expect(lock).toMatch(/^ministack==1\.5\.33 /m);
  });
});

describe('the port', () => {
  test('fails when the wanted one is taken, naming it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await expect(choosePort(port)).rejects.toThrow(new RegExp(`HR403.*Port ${port}.*EADDRINUSE.*free port`));
    server.close();
    await new Promise((resolve) => server.once('close', resolve));
    await expect(choosePort(port)).resolves.toBe(port);
  });
});

describe("the server's environment", () => {
  const server = {
    folder: '/cache/local',
    port: 4567,
    region: 'eu-west-1',
    keepState: false,
    settings: { SFN_WAIT_SCALE: '0.1' },
  };

  test('listens on loopback only and runs our own node first', () => {
    const env = serverEnvironment(server, { HOME: '/home/me', PATH: '/usr/bin' });
    expect(env).toMatchObject({
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: '4567',
      SFN_WAIT_SCALE: '0.1',
      HOME: '/home/me',
    });
    expect(env.PATH?.split(':')[0]).toBe(join(process.execPath, '..'));
  });

  test("holds none of the shell's credentials", () => {
    const env = serverEnvironment(server, { AWS_SECRET_ACCESS_KEY: 'real', GITHUB_TOKEN: 'real' });
    expect(Object.values(env)).not.toContain('real');
  });
});

describe('a target of an earlier run', () => {
  test('is forgotten when its process is gone', async () => {
    await writeState(folder, state({ pid: 2 ** 22 + 1 }));
    await expect(findRunning(folder)).resolves.toBeUndefined();
    expect(existsSync(stateFile(folder))).toBe(false);
  });

  test('is forgotten when its process number now belongs to another program, which is left alone', async () => {
    await writeState(folder, state({ pid: process.ppid }));
    await expect(stopRunning(folder)).resolves.toBe(false);
    expect(existsSync(stateFile(folder))).toBe(false);
  });

  test('is forgotten when its file is broken', async () => {
    await writeFile(stateFile(folder), '{"pid": 12');
    await expect(findRunning(folder)).resolves.toBeUndefined();
    expect(existsSync(stateFile(folder))).toBe(false);
  });

  test('fails when it is alive and does not answer, and stop ends it', async () => {
    const hanging = await hangingGuard('token-of-a-hanging-run');
    const ended = new Promise((resolve) => hanging.once('exit', (_, signal) => resolve(signal)));
    const pid = hanging.pid ?? 0;
    await writeState(folder, state({ pid, token: 'token-of-a-hanging-run' }));
    await expect(findRunning(folder)).rejects.toThrow(new RegExp(`HR406.*process ${pid}.*headrace down`));
    await expect(stopRunning(folder)).resolves.toBe(true);
    expect(existsSync(stateFile(folder))).toBe(false);
    await expect(ended).resolves.toBe('SIGTERM');
  });

  test('attach fails when there is none', async () => {
    const target = new LocalTarget({ root: folder, env: {} });
    await expect(target.attach()).rejects.toThrow(/HR408.*not running.*headrace up/);
  });
});
