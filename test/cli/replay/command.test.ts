import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { main } from '../../../lib/cli';
import { pipelineOutputs, stackAnswer } from '../stack-answer';
import { testHost } from '../test-host';

const run = async (outputs: Readonly<Record<string, string>>, ...argv: string[]) => {
  mockClient(CloudFormationClient).on(DescribeStacksCommand).resolves(stackAnswer(outputs));
  const host = testHost({ env: { AWS_REGION: 'eu-central-1' } });
  const code = await main(['replay', ...argv, '--target', 'aws'], host);
  return { code, out: host.out(), err: host.err() };
};

test('fails where no journal is kept', async () => {
  const { code, err } = await run(pipelineOutputs(), '--from', '1h');
  expect(code).toBe(1);
  expect(err).toMatch(/HR523.*journal: false.*npx headrace deploy/s);
});

test('fails for a module that is not deployed, and for one that does not exist', async () => {
  const outputs = pipelineOutputs('PredictDigit');
  const undeployed = await run(outputs, '--from', '1h', '--only', 'predict-digit');
  expect([undeployed.code, undeployed.err]).toEqual([
    1,
    expect.stringMatching(/HR502 predict-digit is not deployed yet/),
  ]);
  const unknown = await run(outputs, '--from', '1h', '--only', 'predict-digits');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/HR521.*--only predict-digit/s)]);
});

test('asks for the window before it looks for the pipeline', async () => {
  expect(await run({})).toMatchObject({ code: 2, err: expect.stringMatching(/HR501.*--from 2h/s) });
});
