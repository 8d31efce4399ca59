import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HeadraceError } from '../../contract/errors';
import { cyclePath, discover, graphOf, OUTPUT, refuseCycles } from '../../module';
import { cacheFolder, type Target } from '../../target';
import { ensureWritable } from '../../target/cache-folder';
import { findPython } from '../../target/local/python';
import { explainAwsError } from '../aws-errors';
import { clientsFor } from '../clients';
import { attach, pipelineOn } from '../pipeline';

export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warn' | 'fail';
  /** What was found. */
  readonly found: string;
  /** What to do about it, where something is to be done. */
  readonly next?: string;
}

export interface Patient {
  readonly project: string;
  readonly stack: string;
  readonly target: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

type Finding = Omit<Check, 'name'>;

const MB = 1024 * 1024;
/** The local target's environment takes about 60 MB, a full demo about 300. */
const LITTLE_DISK_MB = 1024;
const TOO_LITTLE_DISK_MB = 200;

export interface Examination {
  readonly checks: readonly Check[];
  readonly target: Target | undefined;
  /** Outputs of the deployed stack; none when there is no such stack. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** Every check, in the order of the report. One that throws has failed. */
export async function examine(patient: Patient): Promise<Examination> {
  const local = (patient.target ?? (patient.env.HEADRACE_ENDPOINT || 'local')) === 'local';
  const before = await Promise.all([
    check('node', async () => nodeVersion(process.versions.node)),
    check('project', async () => project(patient)),
    ...(local
      ? [
          check('python', async () => ok(await findPython(patient.env))),
          check('cache folder', () => cache(patient)),
          check('disk', () => disk(patient)),
        ]
      : []),
  ]);
  const readable = before.some(({ name, result }) => name === 'project' && result === 'ok');
  if (readable) before.push(await check('circles', async () => circles(patient)));
  const found: { target?: Target; outputs?: Readonly<Record<string, string>> } = {};
  const targetCheck = await check('target', async () => {
    const target = await attach(patient);
    const finding = target.endpoint === undefined ? await awsAccess(target) : await emulatorHealth(target);
    found.target = target;
    return finding;
  });
  const lookAtStack = async (target: Target) => {
    found.outputs = await outputsOf(target, patient.stack);
    return deployedStack(found.outputs, patient.stack);
  };
  const stack = found.target ? [await check('stack', () => lookAtStack(found.target as Target))] : [];
  return {
    checks: [...before, soften(targetCheck), ...stack.map(soften)],
    target: found.target,
    outputs: found.outputs ?? {},
  };
}

const ok = (text: string): Finding => ({ result: 'ok', found: text });

async function check(name: string, look: () => Promise<Finding>): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    const known = error instanceof HeadraceError ? error : explainAwsError(error);
    if (!known) return { name, result: 'fail', found: String(error) };
    return { name, result: 'fail', found: `${known.code} ${known.details.what}`, next: known.details.next };
  }
}

/** That nothing is running, or deployed, is no illness. */
function soften(found: Check): Check {
  return found.result === 'fail' && /^HR(408|502) /.test(found.found) ? { ...found, result: 'warn' } : found;
}

/** Node: 20.19 is the oldest that runs us; the AWS SDK asks for 22 from January 2027. */
export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    return { result: 'fail', found: version, next: 'Install Node 22 or newer; 20.19 is the oldest that works.' };
  }
  if (major < 22) {
    return {
      result: 'warn',
      found: version,
      next: 'Works. Versions of the AWS SDK from January 2027 on need Node 22.',
    };
  }
  return ok(version);
}

function project({ project: root }: Patient): Finding {
  const { modules, events } = graphOf(discover(root));
  return ok(`${root}: ${modules.length} modules and workflows, ${events.length} events`);
}

/** Circles of modules that feed each other; one that nobody ends can't be deployed. @throws HeadraceError HR206 */
function circles({ project: root }: Patient): Finding {
  const found = discover(root);
  refuseCycles(found);
  const told = graphOf(found).cycles.map((cycle) => {
    const reasons = cycle.reasons.map(({ name, reason }) => `${name}: ${reason}`);
    return `${cyclePath(cycle)} (${reasons.join('; ')})`;
  });
  return ok(told.join('; ') || 'none');
}

async function cache({ project: root, env }: Patient): Promise<Finding> {
  const folder = cacheFolder(root, env);
  await ensureWritable(folder);
  return ok(folder);
}

async function disk({ project: root, env }: Patient): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(cacheFolder(root, env)));
  const free = Math.floor((bavail * bsize) / MB);
  const found = `${free} MB free`;
  if (free < TOO_LITTLE_DISK_MB) return { result: 'fail', found, next: 'Free some space, or set HEADRACE_CACHE.' };
  if (free < LITTLE_DISK_MB)
    return { result: 'warn', found, next: 'A demo with the whole data set needs about 300 MB.' };
  return ok(found);
}

/** The folder, or the one above it where it would be made. */
function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}

async function emulatorHealth(target: Target): Promise<Finding> {
  const health = await target.health();
  if (!health.ok) throw health.error;
  return ok(`${target.name} at ${target.endpoint}, ${health.latencyMs} ms`);
}

/** Region and credentials that the SDK finds; whether AWS takes them shows when the stack is asked for. */
async function awsAccess(target: Target): Promise<Finding> {
  const clients = clientsFor(target);
  try {
    const { config } = clients.cloudformation;
    const region = await config.region();
    const { accessKeyId } = await config.credentials();
    return ok(`${target.name} in ${region}, access key ...${accessKeyId.slice(-4)}`);
  } finally {
    clients.close();
  }
}

async function outputsOf(target: Target, stack: string): Promise<Readonly<Record<string, string>>> {
  const { clients, outputs } = await pipelineOn(target, stack);
  clients.close();
  return outputs;
}

function deployedStack(outputs: Readonly<Record<string, string>>, stack: string): Finding {
  return ok(`${stack}: bus ${outputs[OUTPUT.bus]}, ${Object.keys(outputs).length} outputs`);
}
