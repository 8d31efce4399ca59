import { HeadraceError } from '../../contract/errors';
import type { Target } from '../../target';
import { explainAwsError } from '../aws-errors';

export interface FailureContext {
  readonly target: Pick<Target, 'name'>;
  readonly stack: string;
  /** What the CDK toolkit and CloudFormation said before. */
  readonly messages: readonly string[];
}

/** The coded error for a deployment that failed, with the reason of the first resource that failed. */
export function deploymentFailed(error: unknown, { target, stack, messages }: FailureContext): HeadraceError {
  const known = explainAwsError(error);
  if (known) return known;
  const own = error instanceof Error ? error.message : String(error);
  const reasons = [...new Set(messages.map((message) => message.trim()).filter((text) => text !== ''))];
  const said = reasons.length > 0 ? reasons.slice(0, 5).join('\n  ') : own.trim();
  return new HeadraceError('HR503', {
    what: `Deploying ${stack} to ${target.name} failed: ${said}`,
    next: nextStep(`${own} ${said}`, stack),
    cause: error,
  });
}

function nextStep(text: string, stack: string): string {
  if (/ROLLBACK_COMPLETE|ROLLBACK_FAILED/.test(text)) {
    return `CloudFormation has rolled back. Correct the cause; if the stack can't be updated, npx headrace down first (${stack}).`;
  }
  return 'Correct the cause and run npx headrace deploy again; --debug shows where it comes from.';
}
