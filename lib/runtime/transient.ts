import { platform } from './platform';

/** Throttling, by the names the services give it. */
const THROTTLED = /Throttl|TooManyRequests|SlowDown|ProvisionedThroughputExceeded|RequestLimitExceeded|LimitExceeded/;

/**
 * Whether a call of AWS failed for reasons of the service: throttled, out of order, or without an answer. The same
 * call may pass later, whatever it was about.
 */
export function isTransient(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { $retryable, $metadata, code, name } = error as {
    $retryable?: object;
    $metadata?: { httpStatusCode?: number };
    code?: unknown;
    name?: string;
  };
  if ($retryable !== undefined || (name !== undefined && THROTTLED.test(name))) return true;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return status === 429 || status >= 500;
  // Without a status the request got no answer.
  return name === 'TimeoutError' || (typeof code === 'string' && NO_ANSWER.test(code));
}

/** Codes of socket errors in Node.js. */
const NO_ANSWER = /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|UND_ERR)/;

/** Tries beyond those of the SDK. */
const TRIES = 4;

/**
 * Makes a call that may be repeated, again while AWS can't serve it: about a second longer than the SDK alone. For the
 * calls around the work: what the logic has done must not be thrown away because a table was busy for a moment.
 */
export async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!isTransient(error) || tries >= TRIES) throw error;
      await platform().sleep(platform().random() * 200 * tries);
    }
  }
}
