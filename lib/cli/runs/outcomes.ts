import { DescribeExecutionCommand, type SFNClient } from '@aws-sdk/client-sfn';
import { discover } from '../../module/project';
import type { RunItem } from './run-list';
import { outcomeIn } from './timeline';

/** A run of a list, with what ended it before the end of its plan. */
export interface ListedRun extends RunItem {
  /** The outcome of a step on which the workflow ends early: `rejected`. Only where it did. */
  readonly endedOn?: string;
}

/** Runs looked at, the newest: each costs a call. */
const LOOKED_AT = 50;
const AT_ONCE = 10;

/** Adds what ended runs early, as far as their executions tell. */
export async function withOutcomes(
  sfn: SFNClient,
  project: string,
  runs: readonly RunItem[],
): Promise<readonly ListedRun[]> {
  const enders = endersOf(project);
  const candidates = runs.filter(({ status, workflow }) => status === 'SUCCEEDED' && enders.get(workflow)?.size);
  const found = new Map<string, string>();
  for (let i = 0; i < Math.min(candidates.length, LOOKED_AT); i += AT_ONCE) {
    const batch = candidates.slice(i, Math.min(i + AT_ONCE, LOOKED_AT));
    await Promise.all(
      batch.map(async ({ arn, workflow }) => {
        const outcome = await outcomeOf(sfn, arn);
        if (outcome !== undefined && enders.get(workflow)?.has(outcome)) found.set(arn, outcome);
      }),
    );
  }
  return runs.map((run) => {
    const endedOn = found.get(run.arn);
    return endedOn === undefined ? run : { ...run, endedOn };
  });
}

/** The outcomes on which each workflow ends early. */
function endersOf(project: string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    discover(project).workflows.map(({ declared: { name, plan } }) => [
      name,
      new Set<string>(plan.flatMap((node) => (node.node === 'run' ? node.endOn : []))),
    ]),
  );
}

/** The outcome of the last step that ran. A list is still a list when it can't be told. */
async function outcomeOf(sfn: SFNClient, executionArn: string): Promise<string | undefined> {
  const described = await sfn.send(new DescribeExecutionCommand({ executionArn })).catch(() => undefined);
  return outcomeIn(described?.output);
}
