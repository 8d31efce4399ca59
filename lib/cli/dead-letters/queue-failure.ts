import { HeadraceError } from '../../contract/errors';
import { explainAwsError } from '../aws-errors';
import type { Mailbox } from './mailbox';

const GONE = /QueueDoesNotExist|NonExistentQueue/;
/** What SQS says of a request that the queue, as it now is, cannot take. */
const REFUSED =
  /^(InvalidParameterValue|MissingParameter|InvalidMessageContents|UnsupportedOperation|InvalidAttributeValue|Kms\w+)/;

/**
 * What a failure at a queue of `mailbox` means for the letters: that a queue is gone (HR512) or does not take them
 * (HR513). Any other error stays what it is.
 */
export function queueFailure(error: unknown, { module }: Pick<Mailbox, 'module'>): unknown {
  const { name = '', message = '' } = error as Partial<Error>;
  if (GONE.test(name) || GONE.test(message)) {
    return new HeadraceError('HR512', {
      what: `A queue of ${module} is gone: it was deleted, or the stack was deployed anew.`,
      got: message,
      next: 'Deploy with npx headrace deploy, then run the command again: it asks the stack for the queues.',
      cause: error,
    });
  }
  if (REFUSED.test(name)) {
    return new HeadraceError('HR513', {
      what: `The queue of ${module} does not take the letters (${name}). They stay where they are.`,
      got: message,
      next: "Compare the queue's kind, encryption and size limit with the project, and deploy again.",
      cause: error,
    });
  }
  return error;
}

/** A failure at one mailbox, for a result that tells of several. */
export interface ToldFailure {
  readonly module: string;
  readonly code?: string;
  readonly what: string;
  readonly next?: string;
}

export function tellFailure(error: unknown, { module }: Pick<Mailbox, 'module'>): ToldFailure {
  const told = queueFailure(error, { module });
  const known = told instanceof HeadraceError ? told : explainAwsError(told);
  if (!known) return { module, what: told instanceof Error ? `${told.name}: ${told.message}` : String(told) };
  return { module, code: known.code, what: known.details.what, next: known.details.next };
}
