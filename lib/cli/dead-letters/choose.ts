import { HeadraceError } from '../../contract/errors';
import { closest } from '../suggest';
import type { Mailbox } from './mailbox';

/** The mailbox of one module, or all. @throws HeadraceError HR501 for a module that has none */
export function chooseMailboxes(boxes: readonly Mailbox[], module: string | undefined): readonly Mailbox[] {
  if (module === undefined) return boxes;
  const found = boxes.filter((box) => box.module === module);
  if (found.length > 0) return found;
  const names = boxes.map((box) => box.module);
  const near = closest(module, names);
  throw new HeadraceError('HR501', {
    what: near ? `Nothing named ${module} listens. Did you mean ${near}?` : `Nothing named ${module} listens.`,
    allowed: names.join(', '),
    next: 'Name a module or a workflow.',
  });
}
