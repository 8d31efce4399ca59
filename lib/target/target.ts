import type { HeadraceError } from '../contract/errors';
import type { Gap } from './gaps';

/** Answer of a health check: ready, or the coded reason why not. */
export type Health =
  | { readonly ok: true; readonly latencyMs: number }
  | { readonly ok: false; readonly error: HeadraceError };

export interface StartOptions {
  /** Told what is going on while it takes time: `installing the local AWS target (MiniStack 1.5.33, once)`. */
  readonly onProgress?: (message: string) => void;
}

/** Spread into any AWS SDK v3 client constructor. Empty members are left to the SDK's own resolution. */
export interface ClientConfig {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly forcePathStyle?: boolean;
}

/** Where a pipeline runs. */
export interface Target {
  /** `local`, `localstack`, `aws`, or `emulator` for an endpoint that was already running. */
  readonly name: string;
  /** Base URL of the emulator; undefined on AWS. */
  readonly endpoint: string | undefined;
  /** Undefined on AWS when only the user's profile names it. */
  readonly region: string | undefined;
  /** What this target does not do that Headrace relies on; empty on AWS. */
  readonly gaps: readonly Gap[];
  /** The variables a child process or an SDK needs to talk to this target. See also `environmentFor`. */
  env(): Record<string, string>;
  clientConfig(): ClientConfig;
  /** Makes the target ready for calls, or throws a coded error. */
  start(options?: StartOptions): Promise<void>;
  health(): Promise<Health>;
  /** Ends what `start` began. Does nothing for a target that Headrace did not start. */
  stop(): Promise<void>;
}
