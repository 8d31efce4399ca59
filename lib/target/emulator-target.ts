import { HeadraceError } from '../contract/errors';
import { emulatorClientConfig, emulatorEnv } from './emulator-access';
import { GAPS, type Gap } from './gaps';
import { type Answer, call, failure } from './http';
import type { ClientConfig, Health, Target } from './target';

export interface EmulatorOptions {
  readonly name: string;
  readonly endpoint: string;
  readonly region: string;
  /** What the reader can do when it isn't there. */
  readonly next: string;
  readonly timeoutMs?: number;
}

/** An emulator that somebody else started: checked, used, never stopped. */
export class EmulatorTarget implements Target {
  public readonly name: string;
  public readonly endpoint: string;
  public readonly region: string;
  public readonly gaps: readonly Gap[] = GAPS;
  private readonly options: EmulatorOptions;

  constructor(options: EmulatorOptions) {
    this.name = options.name;
    this.endpoint = options.endpoint;
    this.region = options.region;
    this.options = options;
  }

  public env(): Record<string, string> {
    return emulatorEnv(this.endpoint, this.region);
  }

  public clientConfig(): ClientConfig {
    return emulatorClientConfig(this.endpoint, this.region);
  }

  public async start(): Promise<void> {
    const health = await this.health();
    if (!health.ok) throw health.error;
  }

  public async health(): Promise<Health> {
    const begin = Date.now();
    try {
      const answer = await this.callerIdentity();
      if (answer.status === 200 && answer.body.includes('GetCallerIdentityResponse')) {
        return { ok: true, latencyMs: Date.now() - begin };
      }
      return { ok: false, error: this.unfit(`answers, but not like AWS: ${describe(answer)}`) };
    } catch (error) {
      return { ok: false, error: this.unfit(`can't be reached: ${failure(error)}`, error) };
    }
  }

  public async stop(): Promise<void> {}

  /** The one call every emulator implements. Emulators find the service in the credential scope. */
  private callerIdentity(): Promise<Answer> {
    const scope = `test/20200101/${this.region}/sts/aws4_request`;
    return call(this.endpoint, {
      method: 'POST',
      timeoutMs: this.options.timeoutMs ?? 5000,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-amz-date': '20200101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=none`,
      },
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
    });
  }

  private unfit(reason: string, cause?: unknown): HeadraceError {
    return new HeadraceError('HR407', {
      what: `The endpoint ${reason}.`,
      got: this.endpoint,
      allowed: 'the base URL of a running AWS emulator',
      next: this.options.next,
      cause,
    });
  }
}

function describe({ status, contentType, body }: Answer): string {
  return `status ${status}, ${contentType || 'no content type'}, ${body.length} characters`;
}
