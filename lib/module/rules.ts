import { type AnyEvent, HeadraceError } from '../contract';
import type { On } from './subscribe';

/** One EventBridge rule a subscription needs. */
export interface RulePlan {
  /** `pipeline` is the project's own bus; AWS services speak on the account's `default` bus. */
  readonly bus: 'pipeline' | 'default';
  /** Store whose bucket the pattern has to name, and whose notifications are needed. */
  readonly store?: string;
  /** EventBridge event pattern. */
  readonly pattern: {
    readonly source?: readonly string[];
    readonly 'detail-type': readonly string[];
    readonly detail?: object;
  };
}

/** The contracts that belong to the family of that name. */
export function membersOf(family: { readonly name: string }, contracts: readonly AnyEvent[]): readonly AnyEvent[] {
  return contracts.filter((contract) => contract.families.some(({ name }) => name === family.name));
}

/**
 * The rule for one entry of `on`. A family's rule names the types of all its members among `contracts`.
 *
 * @throws HeadraceError HR205 for a family without members
 */
export function ruleFor({ listenable, where }: On, contracts: readonly AnyEvent[]): RulePlan {
  if (listenable.kind === 'aws-event') {
    const { store } = listenable;
    return {
      bus: 'default',
      ...(store && { store }),
      pattern: {
        source: [listenable.source],
        'detail-type': [listenable.detailType],
        ...(where && { detail: where }),
      },
    };
  }
  const types = typesOf({ listenable }, contracts);
  if (types.length === 0) {
    throw new HeadraceError('HR205', {
      what: `Nothing belongs to the family ${listenable.kind === 'family' ? listenable.name : listenable.type}.`,
      next: 'Name the family in the `families` of at least one contract.',
    });
  }
  return { bus: 'pipeline', pattern: { 'detail-type': types, ...(where && { detail: { data: where } }) } };
}

/** The event types an entry of `on` receives. */
export function typesOf({ listenable }: Pick<On, 'listenable'>, contracts: readonly AnyEvent[]): readonly string[] {
  if (listenable.kind !== 'family') return [listenable.type];
  return [...new Set(membersOf(listenable, contracts).map(({ type }) => type))];
}
