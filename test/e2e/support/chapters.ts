import { UpdateStateMachineCommand } from '@aws-sdk/client-sfn';
import type { Pipeline } from '../../../lib/cli/pipeline';
import { definitionOf } from '../../../lib/constructs';
import { OUTPUT, type Pace, type Workflow } from '../../../lib/module';
import { EMULATOR_ACCOUNT } from '../../../lib/target';

/** Gives a deployed workflow shorter chapters than any real history needs. */
export async function shortenChapters(pipeline: Pipeline, workflow: Workflow, pace: Pace): Promise<void> {
  const { region } = pipeline.target;
  const names = {
    functionOf: ({ name }: { readonly name: string }) =>
      `arn:aws:lambda:${region}:${EMULATOR_ACCOUNT}:function:${pipeline.output(OUTPUT.function(name))}`,
    bus: pipeline.bus,
    runsBucket: pipeline.output(OUTPUT.store('runs')),
    partition: 'aws',
  };
  await pipeline.clients.sfn.send(
    new UpdateStateMachineCommand({
      stateMachineArn: pipeline.output(OUTPUT.stateMachine(workflow.name)),
      definition: JSON.stringify(definitionOf(workflow, names, pace)),
    }),
  );
}
