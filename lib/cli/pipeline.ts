import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { HeadraceError } from '../contract/errors';
import { OUTPUT } from '../module/environment';
import { LocalTarget, resolveTarget, type Target } from '../target';
import { clientsFor, type OpenClients } from './clients';

/** A deployed pipeline, as the command line finds it. */
export interface Pipeline {
  readonly target: Target;
  readonly stack: string;
  readonly clients: OpenClients;
  /** Stack outputs by `OUTPUT` key. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Name of the pipeline's bus. */
  readonly bus: string;
  /** The output, or HR502 naming what the stack lacks. */
  output(key: string): string;
}

export interface Where {
  readonly target: string | undefined;
  readonly project: string;
  readonly stack: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Finds a running target; starts nothing. @throws HeadraceError HR407 or HR408 when it does not run */
export async function attach({ target: name, project, env }: Omit<Where, 'stack'>): Promise<Target> {
  const target = resolveTarget(name, { root: project, env });
  if (target instanceof LocalTarget) await target.attach();
  // Of a target that isn't ours, this starts nothing: it only looks whether it is there.
  else await target.start();
  return target;
}

/** Finds the deployed pipeline. @throws HeadraceError HR408 or HR502 when there is none */
export async function connect(where: Where): Promise<Pipeline> {
  return pipelineOn(await attach(where), where.stack);
}

export async function pipelineOn(target: Target, stack: string): Promise<Pipeline> {
  const clients = clientsFor(target);
  const outputs = await stackOutputs(clients.cloudformation, stack, target);
  const output = (key: string) => {
    const value = outputs[key];
    if (value !== undefined) return value;
    throw new HeadraceError('HR502', {
      what: `The deployed stack ${stack} has no output ${key}.`,
      allowed: Object.keys(outputs).sort().join(', '),
      next: 'It is older than the project: deploy it again with npx headrace deploy.',
    });
  };
  return { target, stack, clients, outputs, bus: output(OUTPUT.bus), output };
}

/** @throws HeadraceError HR502 when there is no such stack */
export async function stackOutputs(
  client: CloudFormationClient,
  stack: string,
  target: Pick<Target, 'name'>,
): Promise<Record<string, string>> {
  const { DescribeStacksCommand } =
    require('@aws-sdk/client-cloudformation') as typeof import('@aws-sdk/client-cloudformation');
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks[0]?.Outputs ?? [];
    return Object.fromEntries(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if ((error as Error).name !== 'ValidationError') throw error;
    throw new HeadraceError('HR502', {
      what: `The stack ${stack} is not deployed on ${target.name}.`,
      next: `npx headrace deploy${target.name === 'local' ? '' : ` --target ${target.name}`}`,
      cause: error,
    });
  }
}
