import { ENV, OUTPUT } from '../../module/environment';
import type { Pipeline } from '../pipeline';
import type { Mailbox } from './mailbox';

type Deployed = Pick<Pipeline, 'outputs' | 'clients'>;

/** The environment of a module's function as it is deployed now; undefined when the target doesn't tell. */
async function functionVariables(
  { outputs, clients }: Deployed,
  module: string,
): Promise<Record<string, string> | undefined> {
  const name = outputs[OUTPUT.function(module)];
  if (name === undefined) return undefined;
  const { GetFunctionConfigurationCommand } =
    require('@aws-sdk/client-lambda') as typeof import('@aws-sdk/client-lambda');
  try {
    const found = await clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: name }));
    return found.Environment?.Variables;
  } catch (error) {
    // A function that was deleted has no version; whoever may not read it can still see the letter.
    if (/ResourceNotFound|AccessDenied/.test((error as Error).name)) return undefined;
    throw error;
  }
}

/** Version of a module's code as it is deployed now; undefined when the target doesn't tell. */
export async function deployedVersion(pipeline: Deployed, module: string): Promise<string | undefined> {
  return (await functionVariables(pipeline, module))?.[ENV.codeVersion];
}

/** What a module's function finds in its environment: that as it is deployed, and for what is missing there the outputs. */
export async function functionEnvironment(
  pipeline: Deployed & Pick<Pipeline, 'output' | 'bus'>,
  { module, queueUrl, deadLetterQueueUrl }: Mailbox,
): Promise<Readonly<Record<string, string>>> {
  const known = {
    [ENV.bus]: pipeline.bus,
    [ENV.ledger]: pipeline.output(OUTPUT.ledger),
    [ENV.queueUrl]: queueUrl,
    [ENV.deadLetterQueueUrl]: deadLetterQueueUrl,
  };
  return { ...known, ...(await functionVariables(pipeline, module)) };
}
