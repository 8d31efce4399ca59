import { HeadraceError } from '../contract/errors';
import { AwsTarget } from './aws-target';
import { EmulatorTarget } from './emulator-target';
import { LocalTarget, type LocalTargetOptions } from './local/local-target';
import type { Target } from './target';

export type TargetOptions = LocalTargetOptions;

const ALLOWED = 'local, localstack, aws, or the http(s) URL of a running emulator';

/**
 * The target by name or URL. Without either, the emulator that `HEADRACE_ENDPOINT` names, else the local target.
 * Nothing is started or asked yet.
 */
export function resolveTarget(nameOrUrl: string | undefined, options: TargetOptions): Target {
  const env = options.env ?? process.env;
  const wanted = nameOrUrl ?? (env.HEADRACE_ENDPOINT ? fromEnvironment(env.HEADRACE_ENDPOINT) : 'local');
  const region = options.region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
  if (wanted === 'local') return new LocalTarget(options);
  if (wanted === 'aws') return new AwsTarget(region);
  if (wanted === 'localstack') return localstack(region ?? 'us-east-1');
  if (isUrl(wanted)) return emulator(wanted, region ?? 'us-east-1');
  throw new HeadraceError('HR410', {
    what: 'There is no such target.',
    got: wanted,
    allowed: ALLOWED,
    next: 'Choose one of these; without a choice the pipeline runs on local.',
  });
}

function fromEnvironment(value: string): string {
  if (isUrl(value)) return value;
  throw new HeadraceError('HR407', {
    what: 'HEADRACE_ENDPOINT is no URL.',
    got: value,
    allowed: 'an http or https URL such as http://127.0.0.1:4566',
    next: 'Write it with its scheme, or unset HEADRACE_ENDPOINT to use the local target.',
  });
}

function isUrl(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value);
}

function emulator(url: string, region: string): Target {
  return new EmulatorTarget({
    name: 'emulator',
    endpoint: url.replace(/\/+$/, ''),
    region,
    next: 'Start that emulator or correct the URL; unset HEADRACE_ENDPOINT to use the local target.',
  });
}

function localstack(region: string): Target {
  return new EmulatorTarget({
    name: 'localstack',
    endpoint: 'http://127.0.0.1:4566',
    region,
    next: 'Start LocalStack (localstack start -d), or set HEADRACE_ENDPOINT when it listens elsewhere.',
  });
}
