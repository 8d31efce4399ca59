import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICloudAssemblySource, Toolkit } from '@aws-cdk/toolkit-lib';
import { HeadraceError } from '../../contract/errors';
import { EMULATOR_ACCOUNT, type Target } from '../../target';
import { cdkSettings } from '../project-folder';

/** A synthesized app, or the way to one. */
export interface Synthesis {
  readonly folder: string | undefined;
  source(toolkit: Toolkit): Promise<ICloudAssemblySource>;
}

export interface SynthesisRequest {
  readonly project: string;
  readonly stack: string;
  readonly target: Target;
}

/** What the CDK command line tells an app by default: so the template is the one that `npx cdk deploy` makes. */
const CDK_DEFAULTS = {
  'aws:cdk:enable-path-metadata': true,
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:bundling-stacks': ['**'],
};

/**
 * Synthesizes the project's app as `cdk.json` says. For an emulator that happens here and now, beside the loading of
 * the CDK toolkit, which alone takes seconds; on AWS the toolkit does it, since it may have to look things up there.
 *
 * @throws HeadraceError HR503 with what the app printed
 */
export async function synthesize({ project, stack, target }: SynthesisRequest): Promise<Synthesis> {
  const { app, context } = cdkSettings(project);
  if (app === undefined) {
    throw new HeadraceError('HR503', {
      what: 'The project has no app to deploy: cdk.json is missing or has no "app".',
      got: join(project, 'cdk.json'),
      next: 'Write cdk.json with the command that runs the app, such as "npx tsx bin/app.ts".',
    });
  }
  const wanted = { ...context, stack };
  if (target.name === 'aws') return synthesizedByToolkit(project, app, wanted);
  const folder = await mkdtemp(join(tmpdir(), 'headrace-synth-'));
  try {
    await runApp({ command: app, project, folder, context: wanted, region: target.region ?? 'us-east-1' });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { folder, source: (toolkit) => toolkit.fromAssemblyDirectory(folder) };
}

export async function cleanUp({ folder }: Synthesis): Promise<void> {
  if (folder) await rm(folder, { recursive: true, force: true });
}

function synthesizedByToolkit(project: string, app: string, context: Readonly<Record<string, unknown>>): Synthesis {
  return {
    folder: undefined,
    source: async (toolkit) => {
      const { CdkAppMultiContext } = require('@aws-cdk/toolkit-lib') as typeof import('@aws-cdk/toolkit-lib');
      const contextStore = new CdkAppMultiContext(project, { ...context });
      return toolkit.fromCdkApp(app, { workingDirectory: project, contextStore });
    },
  };
}

interface AppRun {
  readonly command: string;
  readonly project: string;
  readonly folder: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly region: string;
}

function runApp({ command, project, folder, context, region }: AppRun): Promise<void> {
  const env = {
    ...process.env,
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...CDK_DEFAULTS, ...context }),
    CDK_DEFAULT_ACCOUNT: EMULATOR_ACCOUNT,
    CDK_DEFAULT_REGION: region,
    // Starting the template validator takes 4 s, more than the rest of the synthesis; on AWS it stays on.
    CDK_VALIDATION: 'false',
  };
  const app = spawn(command, {
    cwd: project,
    env,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => {
    app.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  const said: string[] = [];
  for (const stream of [app.stdout, app.stderr])
    stream.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    app.on('error', reject);
    app.on('close', (code) => {
      process.removeListener('exit', end);
      if (code === 0) resolve();
      else reject(appFailed(said.join(''), command));
    });
  });
}

function appFailed(said: string, command: string): HeadraceError {
  const coded = /\[(HR\d{3})\] ([^\n]*)/.exec(said);
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const error = coded?.[2] ?? lines.find((line) => /^\s*\w*Error\b/.test(line)) ?? lines.at(-1) ?? 'it printed nothing';
  return new HeadraceError('HR503', {
    what: `The app can't be synthesized: ${coded ? `${coded[1]}: ` : ''}${error.trim()}`,
    next: `Correct it. To see everything the app prints: ${command}`,
  });
}
