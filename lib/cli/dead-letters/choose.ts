import { HeadraceError } from '../../contract/errors';
import { closest } from '../suggest';
import type { Mailbox, Mailboxes } from './mailbox';

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
