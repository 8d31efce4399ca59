import { LIMITS } from '../contract';
import type { Retry } from '../module';
import { platform } from './platform';

/**
 * Wait before the next attempt, whole seconds: exponential with full jitter, at least 1
 * (AWS Architecture Blog, "Exponential Backoff And Jitter", 2015).
 *
 * @param attempt - the attempt that just failed, from 1
 * @param random - in [0, 1)
 */
export function backoffSeconds(retry: Retry, attempt: number, random: number = platform().random()): number {
  const ceiling = Math.min(retry.firstDelaySeconds * retry.factor ** (attempt - 1), retry.maxDelaySeconds);
  return Math.min(Math.max(1, Math.ceil(random * ceiling)), LIMITS.visibilitySeconds.value);
}
