import type { ClientConfig, Health, Target } from './target';

/** The user's own account: the SDK's ordinary credential chain, nothing to start, nothing to stop. */
export class AwsTarget implements Target {
  public readonly name = 'aws';
  public readonly endpoint = undefined;
  public readonly gaps = [];

  public readonly region: string | undefined;

  constructor(region: string | undefined) {
    this.region = region;
  }

  public env(): Record<string, string> {
    return this.region === undefined ? {} : { AWS_REGION: this.region, AWS_DEFAULT_REGION: this.region };
  }

  public clientConfig(): ClientConfig {
    return this.region === undefined ? {} : { region: this.region };
  }

  public async start(): Promise<void> {}

  public async health(): Promise<Health> {
    return { ok: true, latencyMs: 0 };
  }

  public async stop(): Promise<void> {}
}
