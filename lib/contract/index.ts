export { type AwsEvent, defineAwsEvent } from './aws-event';
export {
  busEventSchema,
  type Cause,
  deterministicId,
  type Envelope,
  type Event,
  type EventOf,
  envelopeSchema,
  type Listenable,
  MAX_EVENT_BYTES,
  openEvent,
  type Replay,
  replayOf,
  type Sequence,
  toEnvelope,
  trailOf,
} from './envelope';
export { ERROR_CODES, type ErrorCode, type ErrorDetails, HeadraceError, NonRetriable } from './errors';
export {
  type AnyEvent,
  checkData,
  type DataOf,
  type DataSchema,
  type Draft,
  defineEvent,
  type EventContract,
  type EventOptions,
  jsonSchema,
  type Violation,
  violations,
} from './event';
export { defineFamily, type Family } from './family';
export { LIMITS, type Limit, limitsTable } from './limits';
export { objectCreated } from './object-created';
export { type ObjectRef, objectRef } from './reference';
