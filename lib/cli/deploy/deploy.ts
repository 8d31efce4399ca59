import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Toolkit } from '@aws-cdk/toolkit-lib';
import type { Target } from '../../target';
import { clientsFor } from '../clients';
import { bootstrapIfNeeded } from './bootstrap';
import { deploymentFailed } from './deploy-error';
import { type OnProgress, ProgressHost } from './progress-host';
import { cleanUp, type Synthesis, synthesize } from './synthesize';
import { withEnvironment } from './with-environment';

export interface DeployRequest {
  /** Absolute path of the project folder. */
  readonly project: string;
  /** A target that is ready for calls. May also be on its way: the app is synthesized meanwhile. */
  readonly target: Target;
  readonly stack: string;
  readonly onProgress?: OnProgress;
  /** Resolves when the target is ready. @default - it is ready now */
  readonly ready?: Promise<void>;
  /** Called with the differences before anything is changed; false leaves everything as it is. */
  readonly approve?: (diff: string) => Promise<boolean>;
}

export interface BundleSize {
  readonly name: string;
  readonly bytes: number;
}

export interface Deployment {
  readonly stack: string;
  readonly target: string;
  /** False when `approve` said no. */
  readonly deployed: boolean;
  /** Stack outputs by `OUTPUT` key. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Where the seconds went; the parts overlap. */
  readonly parts: Readonly<Record<'synth' | 'bootstrap' | 'deploy', number>>;
  readonly bundles: readonly BundleSize[];
}

/**
 * Synthesizes the project's app and deploys it, in this process. Bootstraps the target where that was never done.
 *
 * @throws HeadraceError HR503 with the reason CloudFormation or the app gives
 */
export async function deploy(request: DeployRequest): Promise<Deployment> {
  const { target, stack, project, onProgress = () => undefined } = request;
  const begin = Date.now();
  const seconds = { synth: 0, bootstrap: 0, deploy: 0 };
  const timed = async <T>(part: keyof typeof seconds, work: Promise<T>): Promise<T> => {
    const start = Date.now();
    const result = await work;
    seconds[part] = (Date.now() - start) / 1000;
    return result;
  };
  onProgress('synthesizing the stack');
  const synthesis = timed('synth', synthesize({ project, stack, target }));
  synthesis.catch(() => undefined);
  // Loading it takes seconds, in which the app is synthesized and the target starts.
  const { Toolkit: Tools } = require('@aws-cdk/toolkit-lib') as typeof import('@aws-cdk/toolkit-lib');
  await request.ready;
  return withEnvironment(target, async () => {
    const host = new ProgressHost(onProgress);
    host.phase = 'preparing the target';
    const toolkit = new Tools({ ioHost: host, color: false, emojis: false });
    const bootstrap = timed('bootstrap', bootstrapIfNeeded({ toolkit, target, onProgress }));
    bootstrap.catch(() => undefined);
    const app = await synthesis;
    try {
      await bootstrap;
      if (!(await approved({ toolkit, app, request }))) return finish({ deployed: false, outputs: {} });
      host.phase = `deploying ${stack}`;
      onProgress(host.phase);
      const outputs = await timed('deploy', deployStack({ toolkit, app, request }));
      return finish({ deployed: true, outputs });
    } catch (error) {
      throw await deploymentFailed(error, { target, stack, messages: host.errors });
    } finally {
      await cleanUp(app);
    }
  });

  function finish(result: Pick<Deployment, 'deployed' | 'outputs'>): Deployment {
    const bundles = bundleSizes(project);
    return { stack, target: target.name, ...result, seconds: (Date.now() - begin) / 1000, parts: seconds, bundles };
  }
}

interface Step {
  readonly toolkit: Toolkit;
  readonly app: Synthesis;
  readonly request: DeployRequest;
}

async function approved({ toolkit, app, request }: Step): Promise<boolean> {
  if (!request.approve) return true;
  const { formatDifferences } =
    require('@aws-cdk/cloudformation-diff') as typeof import('@aws-cdk/cloudformation-diff');
  const differences = await toolkit.diff(await app.source(toolkit));
  const { PassThrough } = require('node:stream') as typeof import('node:stream');
  const texts = Object.entries(differences).map(([name, difference]) => {
    const stream = new PassThrough();
    formatDifferences(stream, difference);
    const text = (stream.read() as Buffer | null)?.toString('utf8') ?? 'No differences.';
    return `${name}\n${text}`;
  });
  return request.approve(texts.join('\n'));
}

async function deployStack({ toolkit, app, request }: Step): Promise<Record<string, string>> {
  const local = request.target.name !== 'aws';
  const result = await toolkit.deploy(await app.source(toolkit), {
    deploymentMethod: local ? { method: 'direct' } : { method: 'change-set' },
    assetParallelism: true,
    assetBuildConcurrency: 4,
    ...(local && { stackEventPollingInterval: 200 }),
  });
  const deployed = result.stacks.find(({ stackName }) => stackName === request.stack);
  if (deployed) return deployed.outputs;
  const { stackOutputs } = require('../pipeline') as typeof import('../pipeline');
  const clients = clientsFor(request.target);
  try {
    return await stackOutputs(clients.cloudformation, request.stack, request.target);
  } finally {
    clients.close();
  }
}

/** Sizes of the bundles the construct left in `.headrace/build`, largest first. */
function bundleSizes(project: string): BundleSize[] {
  const folder = join(project, '.headrace', 'build');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => ({ name, file: join(folder, name, 'index.mjs') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, bytes: statSync(file).size }))
    .sort((a, b) => b.bytes - a.bytes);
}
