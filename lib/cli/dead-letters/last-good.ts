import type { AnyEvent } from '../../contract';

/** An event that was handled, or one that would be. */
export interface GoodEvent {
  /** `journal`: it passed over the bus; `example`: it is the contract's own. */
  readonly from: 'journal' | 'example';
  readonly id?: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly data: unknown;
}

export interface GoodEventWanted {
  readonly type: string;
  readonly version: number;
  /** Id of the event in question: not this one. */
  readonly except: string;
}

/** Looks for the last good event of a type; undefined when there is none. */
export type FindGoodEvent = (wanted: GoodEventWanted) => Promise<GoodEvent | undefined>;

/** The example of the contract: of the version wanted, else of the newest. */
export function exampleFrom(contracts: readonly AnyEvent[]): FindGoodEvent {
  return async ({ type, version }) => {
    const versions = contracts.filter((contract) => contract.type === type);
    const contract = versions.find((each) => each.version === version) ?? versions.at(-1);
    return contract && { from: 'example', data: contract.example };
  };
}
