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
