import { createHash } from 'node:crypto';
import type { Logic } from 'headrace/runtime';
import * as z from 'zod';
import type module from './module';

export const positionSchema = z.object({ moves: z.number(), hash: z.string() });

export type Position = z.output<typeof positionSchema>;

export const START: Position = { moves: 0, hash: '' };

/** The position after a move: another order, another hash. */
export function after({ moves, hash }: Position, move: string): Position {
  return { moves: moves + 1, hash: createHash('sha256').update(`${hash}\n${move}`).digest('hex') };
}

export const positionKey = (game: string): string => `${game}.json`;

export const keepScore: Logic<typeof module> = async ({ data: { game, number, move } }, { stores }) => {
  const found = await stores.games.findJson(positionKey(game), positionSchema);
  const before = found?.value ?? START;
  // Written by an attempt that died before its commit.
  if (before.moves >= number) return [];
  await stores.games.putJson(positionKey(game), after(before, move));
  return [];
};
