import { HeadraceError } from '../contract/errors';
import { LocalTarget, type Target } from '../target';
import { clientsFor, type OpenClients } from './clients';
import type { Output } from './output';

export interface TakeDown {
  readonly target: Target;
  readonly stack: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Of the local target: drop what it holds. */
  readonly forget: boolean;
  readonly out: Output;
}

/**
 * Stops the project's local target, also one that another command started. What it holds is kept for the next
 * `headrace up`, unless `forget` says otherwise.
 */
export async function stopLocal({ target, dryRun, forget, out }: TakeDown): Promise<number> {
  const running = await isRunning(target);
  const endpoint = running ? target.endpoint : undefined;
  const keeps = target instanceof LocalTarget && target.keepsState && !forget;
  if (running && !dryRun) await target.stop();
  const forgotten = forget && !dryRun && target instanceof LocalTarget && (await target.forget());
  const result = {
    target: target.name,
    endpoint,
    stopped: running && !dryRun,
    kept: running && keeps,
    forgotten,
    dryRun,
  };
  out.result(result, () => {
    const stopped = stopLine(running, dryRun, endpoint);
    if (forget) return [stopped, dryRun ? 'Would drop its state.' : forgottenLine(forgotten)];
    return running && keeps ? [stopped, 'Its state is kept for the next npx headrace up; --forget drops it.'] : stopped;
  });
  return 0;
}

function stopLine(running: boolean, dryRun: boolean, endpoint: string | undefined): string {
  if (!running) return 'The local target is not running.';
  return dryRun ? `Would stop the local target at ${endpoint}.` : `Stopped the local target at ${endpoint}.`;
}

const forgottenLine = (forgotten: boolean) => (forgotten ? 'Its state is dropped.' : 'There was no state to drop.');

async function isRunning(target: Target): Promise<boolean> {
  if (!(target instanceof LocalTarget)) return false;
  try {
    await target.attach();
    return true;
  } catch (error) {
    if (error instanceof HeadraceError && error.code === 'HR408') return false;
    throw error;
  }
}

/** Destroys the stack, after showing what it holds. Nothing happens without `yes`. @throws HeadraceError HR407 */
export async function destroyStack({ target, stack, yes, dryRun, out }: TakeDown): Promise<number> {
  await target.start();
  const clients = clientsFor(target);
  try {
    const resources = await resourcesOf(clients, stack, target);
    for (const { type, count } of resources) out.note(`  ${String(count).padStart(4)}  ${type}`);
    if (dryRun || !yes) {
      out.result(
        { target: target.name, stack, destroyed: false, resources },
        () => `Nothing of ${stack} was destroyed.`,
      );
      if (dryRun) return 0;
      throw new HeadraceError('HR501', {
        what: `npx headrace down would destroy the resources of ${stack} on ${target.name} listed above.`,
        next: 'Add --yes to do it.',
      });
    }
    await deleteStack(clients, stack, out);
    out.result(
      { target: target.name, stack, destroyed: true, resources },
      () => `Destroyed ${stack} on ${target.name}.`,
    );
    return 0;
  } finally {
    clients.close();
  }
}

interface ResourceCount {
  readonly type: string;
  readonly count: number;
}

async function resourcesOf(clients: OpenClients, stack: string, target: Target): Promise<ResourceCount[]> {
  const { stackOutputs } = require('./pipeline') as typeof import('./pipeline');
  const { paginateListStackResources } =
    require('@aws-sdk/client-cloudformation') as typeof import('@aws-sdk/client-cloudformation');
  await stackOutputs(clients.cloudformation, stack, target);
  const counts = new Map<string, number>();
  for await (const page of paginateListStackResources({ client: clients.cloudformation }, { StackName: stack })) {
    for (const { ResourceType = 'unknown' } of page.StackResourceSummaries ?? []) {
      counts.set(ResourceType, (counts.get(ResourceType) ?? 0) + 1);
    }
  }
  return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => a.type.localeCompare(b.type));
}

async function deleteStack({ cloudformation }: OpenClients, stack: string, out: Output): Promise<void> {
  const { DeleteStackCommand, waitUntilStackDeleteComplete } =
    require('@aws-sdk/client-cloudformation') as typeof import('@aws-sdk/client-cloudformation');
  out.progress(`destroying ${stack}`);
  await cloudformation.send(new DeleteStackCommand({ StackName: stack }));
  await waitUntilStackDeleteComplete(
    { client: cloudformation, maxWaitTime: 1800, minDelay: 1, maxDelay: 10 },
    { StackName: stack },
  );
}
