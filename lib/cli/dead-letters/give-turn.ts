import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Module } from '../../module';
import { open } from '../../runtime/delivery';
import { Order, type Turn } from '../../runtime/order';
import type { DeadLetter } from './letter';

export interface TurnOptions {
  readonly dynamodb: DynamoDBClient;
  /** Name of the ledger's table. */
  readonly ledger: string;
  readonly modules: readonly Module[];
}

/** Told of letters that are given up. */
export type GiveTurn = (letters: readonly DeadLetter[]) => Promise<void>;

/**
 * Lets the events after those given up through: an ordered module would wait for the missing ones. Letters of one
 * subject may come in any order, also in several calls.
 */
export function giveTurnOf({ dynamodb, ledger, modules }: TurnOptions): GiveTurn {
  const order = new Order(dynamodb, ledger);
  let waiting: Turn[] = [];
  return async (letters) => {
    waiting = [...waiting, ...letters.flatMap((letter) => turnOf(letter, modules))].sort(bySequence);
    const still: Turn[] = [];
    for (const turn of waiting) if (!(await order.advance(turn))) still.push(turn);
    waiting = still;
  };
}

function turnOf(letter: DeadLetter, modules: readonly Module[]): Turn[] {
  const module = modules.find(({ name }) => name === letter.module);
  if (!module?.ordered) return [];
  const content = open(module, letter);
  if ('error' in content || content.event.sequence === undefined) return [];
  return [{ consumer: module.name, sequence: content.event.sequence, workId: content.workId }];
}

function bySequence(a: Turn, b: Turn): number {
  const [before, after] = [a.sequence.value, b.sequence.value];
  return typeof before === 'number' && typeof after === 'number' ? before - after : 0;
}
