import { hostname, userInfo } from 'node:os';
import type { DiscardRecord, DiscardShelf } from './discard-shelf';
import type { GiveTurn } from './give-turn';
import type { DeadLetter } from './letter';
import { type SweepOptions, type Swept, sweep } from './sweep';

export interface Discard extends SweepOptions {
  readonly reason: string;
  readonly shelf: DiscardShelf;
  /** Lets through what waits for the letters of ordered modules. */
  readonly giveTurn: GiveTurn;
  /** @default - the user of this machine */
  readonly by?: string;
}

/** Gives letters up: each is written to the shelf with the reason, by whom and when; only then it is deleted. */
export function discard(options: Discard): Promise<Swept> {
  const { reason, shelf, giveTurn, by = user() } = options;
  return sweep(options, async (batch, at) => {
    await shelf.keep(batch.map(({ letter }) => recordOf(letter, { at, by, reason })));
    await giveTurn(batch.map(({ letter }) => letter));
    return batch;
  });
}

/** The whole letter stays: what was given up by mistake can be sent again. */
function recordOf(letter: DeadLetter, discarded: DiscardRecord['discarded']): DiscardRecord {
  return { discarded, letter };
}

const user = () => `${userInfo().username}@${hostname()}`;
