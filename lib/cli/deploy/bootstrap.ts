import type { Toolkit } from '@aws-cdk/toolkit-lib';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { EMULATOR_ACCOUNT, type Target } from '../../target';
import { clientsFor } from '../clients';
import type { OnProgress } from './progress-host';

export interface BootstrapRequest {
  readonly toolkit: Toolkit;
  readonly target: Target;
  readonly onProgress: OnProgress;
}

/** Creates the CDK's bucket and roles on the target, unless they are there. Once for a target. */
export async function bootstrapIfNeeded({ toolkit, target, onProgress }: BootstrapRequest): Promise<void> {
  if (await isBootstrapped(target, toolkit.toolkitStackName)) return;
  onProgress('preparing the target for deployments (cdk bootstrap)');
  const { BootstrapEnvironments } = require('@aws-cdk/toolkit-lib') as typeof import('@aws-cdk/toolkit-lib');
  await toolkit.bootstrap(BootstrapEnvironments.fromList([await environmentOf(target)]));
}

async function isBootstrapped(target: Target, stackName: string): Promise<boolean> {
  const clients = clientsFor(target);
  try {
    const { Stacks = [] } = await clients.cloudformation.send(new DescribeStacksCommand({ StackName: stackName }));
    return /^(CREATE|UPDATE)_COMPLETE$/.test(Stacks[0]?.StackStatus ?? '');
  } catch (error) {
    if ((error as Error).name === 'ValidationError') return false;
    throw error;
  } finally {
    clients.close();
  }
}

/** `aws://account/region`. The account of an emulator is known; on AWS the stack list tells it. */
async function environmentOf(target: Target): Promise<string> {
  if (target.name !== 'aws') return `aws://${EMULATOR_ACCOUNT}/${target.region ?? 'us-east-1'}`;
  const { account, region } = await callerOf(target);
  return `aws://${account}/${region}`;
}

/** Who we are on AWS, read from the ARN of any resource we can list: no further SDK is needed for it. */
async function callerOf(target: Target): Promise<{ account: string; region: string }> {
  const { ListEventBusesCommand } =
    require('@aws-sdk/client-eventbridge') as typeof import('@aws-sdk/client-eventbridge');
  const clients = clientsFor(target);
  try {
    const { EventBuses = [] } = await clients.eventbridge.send(new ListEventBusesCommand({ NamePrefix: 'default' }));
    const [, , , region = '', account = ''] = (EventBuses[0]?.Arn ?? '').split(':');
    return { account, region };
  } finally {
    clients.close();
  }
}
