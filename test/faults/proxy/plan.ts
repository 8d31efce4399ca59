import type { Random } from '../../../vision/rng';
import type { AwsCall } from './aws-call';

/** What the proxy does to one call. */
export type Fault =
  | { readonly kind: 'pass' }
  /** Forwarded after so many milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Forwarded; its effect stands, but the answer never arrives. */
  | { readonly kind: 'drop' }
  /** Forwarded twice; the second answer is returned. */
  | { readonly kind: 'duplicate' }
  /** Not forwarded: the service says that it is asked too much. */
  | { readonly kind: 'throttle' }
  /** Not forwarded: the service says that it broke. */
  | { readonly kind: 'error' }
  /** Runs `act`, such as killing the worker that calls, before or after the call takes effect; no answer arrives. */
  | { readonly kind: 'interrupt'; readonly when: 'before' | 'after'; readonly act: () => void };

/** Decides about each call as it comes. */
export type Plan = (call: AwsCall) => Fault;

export const PASS: Fault = { kind: 'pass' };

export const passEverything: Plan = () => PASS;

/** Shares of all calls, from 0 to 1, that suffer each fault; together at most 1. */
export interface Rates {
  readonly drop?: number;
  readonly duplicate?: number;
  readonly throttle?: number;
  readonly error?: number;
  readonly delay?: { readonly share: number; readonly ms: number };
}

/** A plan that draws for each call: the same generator and the same calls give the same faults. */
export function randomFaults(random: Random, rates: Rates): Plan {
  const { drop = 0, duplicate = 0, throttle = 0, error = 0, delay = { share: 0, ms: 0 } } = rates;
  const rows: readonly (readonly [share: number, fault: Fault])[] = [
    [drop, { kind: 'drop' }],
    [duplicate, { kind: 'duplicate' }],
    [throttle, { kind: 'throttle' }],
    [error, { kind: 'error' }],
    [delay.share, { kind: 'delay', ms: delay.ms }],
  ];
  return () => {
    let drawn = random();
    for (const [share, fault] of rows) {
      if (drawn < share) return fault;
      drawn -= share;
    }
    return PASS;
  };
}
