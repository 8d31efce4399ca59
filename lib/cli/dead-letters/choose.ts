import { HeadraceError } from '../../contract/errors';
import { closest } from '../suggest';
import type { Mailbox, Mailboxes } from './mailbox';
import type { PlannedSweep } from './plan';

/**
 * The mailbox of one module, or all.
 *
 * @throws HeadraceError HR501 for a module that does not exist, HR502 for one that isn't deployed yet
 */
export function chooseMailboxes({ boxes, missing }: Mailboxes, module: string | undefined): readonly Mailbox[] {
  if (module === undefined) return boxes;
  const found = boxes.filter((box) => box.module === module);
  if (found.length > 0) return found;
  if (missing.includes(module)) {
    throw new HeadraceError('HR502', { what: `${module} is not deployed yet.`, next: 'npx headrace deploy' });
  }
  const names = boxes.map((box) => box.module);
  const near = closest(module, names);
  throw new HeadraceError('HR501', {
    what: near ? `Nothing named ${module} listens. Did you mean ${near}?` : `Nothing named ${module} listens.`,
    allowed: names.join(', '),
    next: 'Name a module or a workflow.',
  });
}

/**
 * The module of a mailbox that has left the project.
 *
 * @throws HeadraceError HR511: the next deployment removes its queues, so nothing more may be sent to them
 */
export function refuseOrphaned({ module, orphaned }: Mailbox): void {
  if (!orphaned) return;
  throw new HeadraceError('HR511', {
    what: `${module} is still deployed, and no longer in the project: the next deployment removes its queues with all letters.`,
    next: `Put lambdas/${module}/ back and deploy, or give the letters up with npx headrace dlq discard ${module}.`,
  });
}

/**
 * The sweeps of mailboxes whose module is in the project. The others are left alone, and named.
 *
 * @throws HeadraceError HR511 when it is the only one that was asked for
 */
export function withoutOrphans(sweeps: readonly PlannedSweep[], module: string | undefined) {
  if (module !== undefined) for (const { mailbox } of sweeps) refuseOrphaned(mailbox);
  const orphaned = sweeps.filter(({ mailbox }) => mailbox.orphaned);
  return {
    sweeps: sweeps.filter((each) => !orphaned.includes(each)),
    orphans: orphaned.map(({ mailbox }) => mailbox.module),
  };
}
