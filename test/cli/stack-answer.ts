/** What CloudFormation answers about a deployed stack with these outputs. */
export const stackAnswer = (outputs: Readonly<Record<string, string>>) => ({
  Stacks: [
    {
      StackName: 'digits',
      CreationTime: new Date(0),
      StackStatus: 'CREATE_COMPLETE' as const,
      Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  ],
});

/** Outputs of the reference pipeline, without what is left out. */
export function pipelineOutputs(...leftOut: readonly string[]): Record<string, string> {
  const listeners = ['CollectBatch', 'CollectFeedback', 'DeployModel', 'PredictDigit', 'PublishReport', 'TrainDigits'];
  const outputs = {
    Bus: 'bus',
    StateMachineTrainDigits: 'machine',
    ...Object.fromEntries(
      listeners.flatMap((name) => [
        [`Queue${name}`, `https://sqs/${name}`],
        [`DeadLetterQueue${name}`, `https://sqs/dead/${name}`],
      ]),
    ),
  };
  return Object.fromEntries(Object.entries(outputs).filter(([key]) => !leftOut.some((name) => key.endsWith(name))));
}
