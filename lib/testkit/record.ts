import type { Envelope, Sequence } from '../contract';
import type { Module } from '../module';

/** Everything that is known of one event in one module. */
export interface WorkRecord {
  readonly module: Module;
  readonly workId: string;
  /** `essay.arrived 1f3a90aa` */
  readonly label: string;
  /** Its place, where the module is ordered. */
  readonly sequence?: Sequence;
  /** Whether its logic is seen when it runs. */
  readonly watched: boolean;
  done: boolean;
  parked: boolean;
  /** The worker that took the lease last. */
  holder?: string;
  outbox: readonly Envelope[];
  /** Ids that were to be committed first. */
  offered?: readonly string[];
  /** Attempts by the name of the worker. */
  readonly attempts: Map<string, Attempt>;
  /** Errors the logic threw that were its own. */
  threw: number;
  poison: boolean;
  /** Times its worker died without a fault being injected: the logic did not come to an end. */
  hung: number;
  readonly effects: Map<string, OnceRecord>;
}

/** What one worker did about it. */
export interface Attempt {
  fence: number;
  logic: 'none' | 'running' | 'returned';
  drafts: readonly string[];
}

/** One `once` of one event. */
export interface OnceRecord {
  readonly token: string;
  /** Times the effect was begun. */
  times: number;
  /** The fencing token under which its result was saved. */
  savedUnder?: number;
}

/** A rule that every run has to keep, broken. */
export interface Broken {
  /** The rule, a few words. */
  readonly rule: string;
  /** How it was broken. */
  readonly how: string;
}

/** `essay.arrived 1f3a90aa` */
export const labelOf = (type: string, id: string): string => `${type} ${id.slice(0, 8)}`;
