import { type ExecutionListItem, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import { HeadraceError } from '../../contract/errors';
import { OUTPUT } from '../../module/environment';
import { discover } from '../../module/project';
import { type Declared, splitByOutput } from '../deployed';
import type { Pipeline } from '../pipeline';

/** One execution of a workflow's state machine. A run that was resumed has several. */
export interface RunItem {
  /** Name of the execution: the run's id, with `-r<n>` for its n-th resumption. */
  readonly id: string;
  readonly workflow: string;
  /** As Step Functions calls it: RUNNING, SUCCEEDED, FAILED, TIMED_OUT, ABORTED. */
  readonly status: string;
  readonly started: string;
  readonly ended?: string;
  readonly seconds: number;
  readonly arn: string;
}

interface Machine {
  readonly workflow: string;
  readonly arn: string;
}

/** The newest runs of all deployed workflows, newest first. */
export async function listRuns(pipeline: Pipeline, project: string, limit: number): Promise<RunItem[]> {
  const pages = await Promise.all(machines(pipeline, project).map((machine) => runsOf(pipeline, machine, limit)));
  return pages
    .flat()
    .sort((a, b) => b.started.localeCompare(a.started))
    .slice(0, limit);
}

/** The run that `id` names: the whole id, its beginning or its end. @throws HeadraceError HR505 */
export async function findRun(pipeline: Pipeline, project: string, id: string): Promise<RunItem> {
  const runs = await listRuns(pipeline, project, 1000);
  const found =
    runs.find((run) => run.id === id) ?? runs.find((run) => run.id.startsWith(id) || run.id.includes(`-${id}`));
  if (found) return found;
  throw new HeadraceError('HR505', {
    what: 'There is no such run.',
    got: id,
    next: 'npx headrace runs list shows them.',
  });
}

/** The workflows of the project, by whether they are deployed. */
export function workflowsOf(pipeline: Pick<Pipeline, 'outputs'>, project: string): Declared {
  const names = discover(project).workflows.map(({ declared }) => declared.name);
  return splitByOutput(names, OUTPUT.stateMachine, pipeline);
}

function machines(pipeline: Pipeline, project: string): Machine[] {
  const { deployed } = workflowsOf(pipeline, project);
  return deployed.map((workflow) => ({ workflow, arn: pipeline.output(OUTPUT.stateMachine(workflow)) }));
}

async function runsOf({ clients }: Pipeline, { workflow, arn }: Machine, limit: number): Promise<RunItem[]> {
  const items: RunItem[] = [];
  let nextToken: string | undefined;
  do {
    const page = await clients.sfn.send(
      new ListExecutionsCommand({
        stateMachineArn: arn,
        maxResults: Math.min(1000, Math.max(limit, 1)),
        ...(nextToken && { nextToken }),
      }),
    );
    items.push(...(page.executions ?? []).map((item) => runItem(workflow, item)));
    nextToken = page.nextToken;
  } while (nextToken && items.length < limit);
  return items;
}

function runItem(workflow: string, item: ExecutionListItem): RunItem {
  const started = item.startDate ?? new Date(0);
  const ended = item.stopDate;
  return {
    id: item.name ?? '',
    workflow,
    status: item.status ?? '',
    started: started.toISOString(),
    ...(ended && { ended: ended.toISOString() }),
    seconds: ((ended ?? new Date()).getTime() - started.getTime()) / 1000,
    arn: item.executionArn ?? '',
  };
}
