import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { HeadraceError } from '../../lib/contract/errors';
import { LocalTarget } from '../../lib/target';

interface Owner {
  readonly process: ChildProcess;
  readonly said: { endpoint: string; startedHere: boolean; messages: string[]; error?: string };
}

/** With these a start that needed Python, pip or a network would fail. */
const NO_INSTALL = { HEADRACE_PYTHON: '/nonexistent', PIP_INDEX_URL: 'http://127.0.0.1:9' };
const OWNER = join(__dirname, '..', 'target', 'support', 'owner.ts');

let root: string;
let local: string;
const owners: ChildProcess[] = [];

const target = (options: object = {}) => new LocalTarget({ root, env: { ...process.env, ...NO_INSTALL }, ...options });

async function owner(mode: 'keep' | 'bound', busySeconds?: string): Promise<Owner> {
  const args = ['--import', 'tsx', OWNER, root, mode, ...(busySeconds ? [busySeconds] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: quiet(NO_INSTALL) });
  owners.push(child);
  const line = await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve));
  return { process: child, said: JSON.parse(line.toString()) };
}

function quiet(extra: object): NodeJS.ProcessEnv {
  return { ...process.env, ...extra, NODE_NO_WARNINGS: '1' };
}

/** Lines of the process listing that belong to this test's targets: by path, or by the odd number of seconds. */
function processes(mark = root): string[] {
  const table = execFileSync('ps', ['-A', '-ww', '-o', 'pid,ppid,args'], { encoding: 'utf8' });
  const mine = owners.map((child) => String(child.pid));
  return table.split('\n').filter((line) => line.includes(mark) && !mine.includes(line.trim().split(/\s+/)[0] ?? ''));
}

/** A length of sleep by which a process can be told from all others. */
function oddSeconds(): string {
  return `${6000 + Math.floor(Math.random() * 1000)}.${process.pid}`;
}

function serverPid(): number {
  return Number(
    processes()
      .find((line) => line.includes('server.py'))
      ?.trim()
      .split(/\s+/)[0],
  );
}

async function eventually(condition: () => boolean, timeoutMs = 8000): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(50)) if (condition()) return true;
  return condition();
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'headrace-e2e-')));
  local = join(root, '.headrace', 'local');
  // What an interrupted installation leaves: it must not be in the way.
  await mkdir(join(local, 'building-left-over', 'bin'), { recursive: true });
  const messages: string[] = [];
  const first = new LocalTarget({ root, env: process.env });
  const second = new LocalTarget({ root, env: process.env, instance: 'second' });
  await Promise.all([
    first.start({ onProgress: (message) => messages.push(message) }),
    second.start({ onProgress: (message) => messages.push(message) }),
  ]);
  expect(messages.filter((message) => message.includes('MiniStack 1.5.33, once'))).toHaveLength(2);
  expect(first.endpoint).not.toBe(second.endpoint);
  await Promise.all([first.stop(), second.stop()]);
}, 180_000);

afterEach(async () => {
  for (const child of owners.splice(0)) child.kill('SIGKILL');
  await target().stop();
  expect(await eventually(() => processes().length === 0)).toBe(true);
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('two installs at once make one whole environment and leave nothing half-built', () => {
  const entries = readdirSync(local);
  expect(entries.filter((name) => name.startsWith('venv-'))).toHaveLength(1);
  expect(entries.filter((name) => name.startsWith('building-'))).toEqual([]);
});

test('an object put through the SDK can be read back, and is gone after reset', async () => {
  const running = target();
  await running.start();
  const s3 = new S3Client(running.clientConfig());
  await s3.send(new CreateBucketCommand({ Bucket: 'datasets' }));
  await s3.send(new PutObjectCommand({ Bucket: 'datasets', Key: 'a/b.txt', Body: 'digits' }));
  const read = () => s3.send(new GetObjectCommand({ Bucket: 'datasets', Key: 'a/b.txt' }));
  expect(await (await read()).Body?.transformToString()).toBe('digits');
  expect(await running.health()).toMatchObject({ ok: true });
  await running.reset();
  await expect(read()).rejects.toThrow(/bucket/);
  await running.stop();
  expect(existsSync(join(local, 'target.json'))).toBe(false);
  expect(existsSync(join(local, 'tmp'))).toBe(false);
});

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'nothing is left after %s of the owner, in the middle of a call whose function has a child of its own',
  async (signal) => {
    const seconds = oddSeconds();
    const { process: child, said } = await owner('bound', seconds);
    expect(said.error).toBeUndefined();
    expect(await eventually(() => processes(`sleep ${seconds}`).length === 1)).toBe(true);
    // Guard, server, Lambda worker.
    expect(processes().length).toBeGreaterThanOrEqual(3);
    await end(child, signal);
    expect(await eventually(() => processes().length + processes(`sleep ${seconds}`).length === 0)).toBe(true);
    expect(existsSync(join(local, 'target.json'))).toBe(false);
    expect(existsSync(join(local, 'tmp'))).toBe(false);
  },
);

test('nothing is left after SIGKILL of the server in the middle of a call, even while the owner lives on', async () => {
  const seconds = oddSeconds();
  await owner('bound', seconds);
  expect(await eventually(() => processes(`sleep ${seconds}`).length === 1)).toBe(true);
  process.kill(serverPid(), 'SIGKILL');
  expect(await eventually(() => processes().length + processes(`sleep ${seconds}`).length === 0)).toBe(true);
});

test('nothing is left when the guard itself is killed', async () => {
  await owner('keep');
  const { pid } = JSON.parse(await readFile(join(local, 'target.json'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  expect(await eventually(() => processes().length === 0)).toBe(true);
});

test('a target that is kept outlives its owner, is found by the next command, and ends with stop', async () => {
  const { process: child, said } = await owner('keep');
  await end(child, 'SIGKILL');
  await sleep(300);
  const next = target();
  await next.attach();
  expect(next.endpoint).toBe(said.endpoint);
  expect(await next.health()).toMatchObject({ ok: true });
  await next.stop();
  expect(processes()).toEqual([]);
  await expect(target().attach()).rejects.toThrow(/HR408/);
});

test('starting twice in one project joins the running target, from another process and at the same moment', async () => {
  const starters = [target(), target()];
  await Promise.all([...starters.map((starter) => starter.start()), owner('bound')]);
  expect(starters.map((starter) => starter.endpoint)).toEqual(starters.map(() => starters[0]?.endpoint));
  expect(starters.filter((starter) => starter.startedHere).length).toBeLessThanOrEqual(1);
  await expect(target({ port: 4999 }).start()).rejects.toThrow(/HR403.*already runs on port/);
});

test('fails with the end of the log when the server dies in use, and can be started again', async () => {
  const crashes: HeadraceError[] = [];
  const running = target({ onCrash: (error: HeadraceError) => crashes.push(error) });
  await running.start();
  process.kill(serverPid(), 'SIGKILL');
  expect(await eventually(() => crashes.length === 1)).toBe(true);
  expect(crashes[0]?.message).toMatch(/HR408.*stopped by itself[\s\S]*Running on http[\s\S]*ministack\.log/);
  expect(await running.health()).toMatchObject({ ok: false });
  await running.start();
  expect(await running.health()).toMatchObject({ ok: true });
  await running.stop();
});

test('fails with the end of the log when the server does not become ready', async () => {
  const hopeless = target({ instance: 'hopeless', settings: { GATEWAY_PORT: 'none' } });
  await expect(hopeless.start()).rejects.toThrow(/HR405.*exited with code[\s\S]*'none'[\s\S]*hopeless\/ministack\.log/);
});

test('fails when there is no package index, with the last lines of pip and no address in them', async () => {
  const elsewhere = join(root, 'elsewhere');
  const env = {
    ...process.env,
    PIP_INDEX_URL: 'http://user:secret@127.0.0.1:9/simple',
    PIP_FIND_LINKS: '',
    HEADRACE_CACHE: elsewhere,
  };
  const error = await new LocalTarget({ root, env }).start().catch((failed: unknown) => failed as HeadraceError);
  expect(error?.message).toMatch(/HR402[\s\S]*pip:\n[\s\S]*Check the network/);
  const log = await readFile(join(elsewhere, 'local', 'install.log'), 'utf8');
  expect(`${error?.message}${log}`).not.toMatch(/secret|127\.0\.0\.1/);
  expect(readdirSync(join(elsewhere, 'local')).filter((name) => /^(venv|building)-/.test(name))).toEqual([]);
}, 60_000);

test('an environment whose marker is gone is not trusted, and installing begins anew', async () => {
  const name = readdirSync(local).find((entry) => entry.startsWith('venv-')) ?? '';
  const marker = join(local, name, 'headrace-lock.sha256');
  const checksum = await readFile(marker, 'utf8');
  await rm(marker);
  await expect(target().start()).rejects.toThrow(/HR401/);
  await writeFile(marker, checksum);
});
