import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { EFFECTS_TABLE } from '../project/effects';
import type { Lab } from './lab';

/** What truly happened for one thing: rows are effects, calls how often one was asked for. */
export interface Happened {
  rows: number;
  calls: number;
}

/** The effects that `by` made, by what they were made for. Read from the outside world, not from Headrace. */
export async function effectsBy(lab: Lab, by: string, prefix: string): Promise<Map<string, Happened>> {
  const found = new Map<string, Happened>();
  for (const item of await allRows(lab)) {
    const of = item.of?.S ?? '';
    if (item.by?.S !== by || !of.startsWith(prefix)) continue;
    const happened = found.get(of) ?? { rows: 0, calls: 0 };
    happened.rows += 1;
    happened.calls += Number(item.calls?.N);
    found.set(of, happened);
  }
  return found;
}

async function allRows(lab: Lab): Promise<Record<string, AttributeValue>[]> {
  const rows: Record<string, AttributeValue>[] = [];
  const client = lab.pipeline.clients.dynamodb;
  for await (const page of paginateScan({ client }, { TableName: EFFECTS_TABLE })) rows.push(...(page.Items ?? []));
  return rows;
}

export interface Tally {
  /** Without any effect. */
  readonly lost: number;
  /** With more than one. */
  readonly doubled: number;
  /** Calls beyond the first of an effect, which its token made harmless. */
  readonly repeatedCalls: number;
}

export function tally(wanted: readonly string[], happened: ReadonlyMap<string, Happened>): Tally {
  const rows = [...happened.values()];
  return {
    lost: wanted.filter((each) => !happened.has(each)).length,
    doubled: rows.filter((each) => each.rows > 1).length,
    repeatedCalls: rows.reduce((sum, each) => sum + each.calls - each.rows, 0),
  };
}
