import { defineEvent } from 'headrace/contract';
import * as z from 'zod';

export const movePlayed = defineEvent({
  type: 'move.played',
  version: 1,
  summary: 'A move of a game was played',
  subject: 'game',
  sequence: 'number',
  schema: z.object({ game: z.string(), number: z.number().int().positive(), move: z.string() }),
  example: { game: 'game-1', number: 1, move: 'e4' },
});
