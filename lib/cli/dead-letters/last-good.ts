import type { AnyEvent } from '../../contract';
import { OUTPUT } from '../../module/environment';
import { S3Store } from '../../runtime/store';
import type { Pipeline } from '../pipeline';

/** An event that passed over the bus and fits its contract, or one that would. */
export interface GoodEvent {
  /** `journal`: it passed over the bus; `example`: it is the contract's own. */
  readonly from: 'journal' | 'example';
  /** Why it is only the example. */
  readonly why?: string;
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

/** Looks for the last good event of a type; undefined when nothing is known of the type. */
export type FindGoodEvent = (wanted: GoodEventWanted) => Promise<GoodEvent | undefined>;

/** The newest good event of the journal, else the example of the contract. */
export function goodEventIn(
  { outputs, clients }: Pick<Pipeline, 'outputs' | 'clients'>,
  contracts: readonly AnyEvent[],
): FindGoodEvent {
  const bucket = outputs[OUTPUT.store('journal')];
  return async (wanted) => {
    const contract = contractOf(wanted, contracts);
    if (!contract) return undefined;
    if (bucket === undefined) return exampleOf(contract, 'the pipeline has no journal');
    const { Journal } = require('../../journal') as typeof import('../../journal');
    try {
      const journal = new Journal(new S3Store(clients.s3, bucket));
      const found = await journal.lastGoodEvent({ contract, except: wanted.except });
      if (!found) return exampleOf(contract, 'the journal has no good one of the last 30 days');
      const { id, time, event } = found;
      return { from: 'journal', id, time, data: (event.detail as { data?: unknown }).data };
    } catch (error) {
      // Whoever may not read the journal can still see what is wrong with the letter.
      return exampleOf(contract, `the journal can't be read: ${(error as Error).message}`);
    }
  };
}

/** The contract of the version wanted, else the newest. */
function contractOf({ type, version }: GoodEventWanted, contracts: readonly AnyEvent[]): AnyEvent | undefined {
  const versions = contracts.filter((contract) => contract.type === type);
  return versions.find((each) => each.version === version) ?? versions.at(-1);
}

const exampleOf = ({ example }: AnyEvent, why: string): GoodEvent => ({ from: 'example', why, data: example });
