import type { ClientConfig, Target } from './target';

/** Account the emulators give to the access key `test`. */
export const EMULATOR_ACCOUNT = '000000000000';
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Client settings for an emulator. Path style, because `bucket.127.0.0.1` is no host name. */
export function emulatorClientConfig(endpoint: string, region: string): ClientConfig {
  return { endpoint, region, credentials: CREDENTIALS, forcePathStyle: true };
}

export function emulatorEnv(endpoint: string, region: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DEFAULT_ACCOUNT: EMULATOR_ACCOUNT,
    CDK_DEFAULT_REGION: region,
  };
}

/**
 * A whole environment for a child process. For an emulator every other AWS variable is dropped: a profile or
 * `AWS_ENDPOINT_URL_S3` in the user's shell would win over ours and reach a real account.
 */
export function environmentFor(target: Target, base: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  if (target.endpoint === undefined) return { ...base, ...target.env() };
  const kept = Object.entries(base).filter(([name]) => !name.startsWith('AWS_'));
  return { ...Object.fromEntries(kept), ...target.env() };
}
