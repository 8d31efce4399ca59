import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Sequence } from '../../contract';
import type { Module } from '../../module';
import { open } from '../../runtime/delivery';
import { Order, type Turn } from '../../runtime/order';
import { contentsOf } from './fit';
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
  const sequence = 'error' in content ? placeOf(letter, module) : content.event.sequence;
  if (sequence === undefined || letter.event === undefined) return [];
  return [{ consumer: module.name, sequence, workId: letter.event.id }];
}

/** The place of an event that the module can't open: whatever else is wrong with it, it may say its place. */
function placeOf({ body, event }: DeadLetter, { on }: Module): Sequence | undefined {
  const listenables = on.map(({ listenable }) => listenable);
  const contents = contentsOf(body, listenables);
  if (!event || !contents) return undefined;
  const contract = listenables.find(
    ({ kind, ...each }) => kind === 'event' && 'type' in each && each.type === contents.type,
  );
  if (contract?.kind !== 'event' || contract.sequence === undefined) return undefined;
  const value = (contents.data as Readonly<Record<string, unknown>> | undefined)?.[contract.sequence];
  return Number.isSafeInteger(value) && Number(value) >= 1 ? { scope: event.subject, value: Number(value) } : undefined;
}

function bySequence(a: Turn, b: Turn): number {
  const [before, after] = [a.sequence.value, b.sequence.value];
  return typeof before === 'number' && typeof after === 'number' ? before - after : 0;
}
