import { HeadraceError } from '../../contract/errors';
import { fingerprintOf } from './fingerprint';
import type { DeadLetter } from './letter';

/** Which letters are meant. */
export interface Selection {
  /** Those of this module. @default - of every module */
  readonly module?: string | undefined;
  /** The beginning of a letter's id or of that of its event. */
  readonly id?: string | undefined;
  /** The fingerprint of their failure, or its beginning. */
  readonly group?: string | undefined;
  readonly all: boolean;
}

/** Fewer characters would mean many letters by chance. */
const SHORTEST = 4;

/**
 * Refuses a selection that says too little or too much.
 *
 * @throws HeadraceError HR501
 */
export function checkSelection({ module, id, group, all }: Selection, done: string): void {
  if (module === undefined && !all && id === undefined && group === undefined) {
    throw new HeadraceError('HR501', {
      what: `Which letters shall be ${done}?`,
      allowed: 'a module, --id <id>, --group <group>, or --all',
      next: 'npx headrace dlq list shows what is there.',
    });
  }
  if (all && (module !== undefined || id !== undefined || group !== undefined)) {
    throw new HeadraceError('HR501', {
      what: '--all means every letter of every module; a narrower choice beside it contradicts it.',
      allowed: 'one of them',
      next: 'Leave out --all.',
    });
  }
  if (id !== undefined) checkId(id);
  if (group !== undefined && !/^[0-9a-f]{4,8}$/.test(group)) {
    throw new HeadraceError('HR501', {
      what: 'That is no name of a group.',
      got: group,
      allowed: '8 hex digits, or the first 4 or more of them',
      next: 'npx headrace dlq list shows the groups.',
    });
  }
}

/** @throws HeadraceError HR501 for a beginning that says nothing */
export function checkId(id: string): void {
  if (id.length >= SHORTEST) return;
  throw new HeadraceError('HR501', {
    what: 'The id is too short to mean one letter.',
    got: id,
    allowed: `the first ${SHORTEST} or more characters of the id of a letter or its event`,
    next: 'npx headrace dlq list shows them.',
  });
}

/** Whether the letter is one of those meant. */
export function isChosen(letter: DeadLetter, { id, group }: Selection): boolean {
  if (id !== undefined && !isMeant(letter, id)) return false;
  return group === undefined || fingerprintOf(letter).startsWith(group);
}

/** Whether `id` is the beginning of the letter's id, or of that of its event. */
export function isMeant(letter: Pick<DeadLetter, 'id' | 'event'>, id: string): boolean {
  return letter.id.startsWith(id) || letter.event?.id.startsWith(id) === true;
}

/** The words of the command line that make this selection. */
export function wordsOf({ module, id, group, all }: Selection): string[] {
  return [
    ...(module === undefined ? [] : [module]),
    ...(id === undefined ? [] : ['--id', id]),
    ...(group === undefined ? [] : ['--group', group]),
    ...(all ? ['--all'] : []),
  ];
}

/** @throws HeadraceError HR501 when nobody agreed to it */
export function refuseUnasked(total: number, agreed: boolean, done: string): void {
  if (agreed) return;
  throw new HeadraceError('HR501', {
    what: `${total} ${total === 1 ? 'letter' : 'letters'} would be ${done}; none was.`,
    next: 'Add --yes to do it, or --dry-run to see which.',
  });
}
