import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { main } from '../../lib/cli';
import { heardBy } from '../../lib/cli/consumers';
import { discover, type Project } from '../../lib/module';
import { pipelineOutputs, stackAnswer } from './stack-answer';
import { PROJECT, testHost } from './test-host';

const eventbridge = mockClient(EventBridgeClient);
const cloudformation = mockClient(CloudFormationClient);

beforeEach(() => eventbridge.reset());

test('refuses data that breaks the contract, with path, value and rule of each violation', async () => {
  const host = testHost();
  const code = await main(['publish', 'model.trained', '--data', '{"model_id":3,"accuracy":0.9,"timestamp":1}'], host);
  expect(code).toBe(1);
  expect(host.err()).toContain('HR102');
  expect(host.err()).toMatch(/model_id = 3: .*expected string/);
  expect(eventbridge.commandCalls(PutEventsCommand)).toHaveLength(0);
});

test('refuses a field the contract does not know', async () => {
  const host = testHost();
  const data = JSON.stringify({ model_id: 'm', accuracy: 0.9, timestamp: 1, accurracy: 1 });
  expect(await main(['publish', 'model.trained', '--data', data, '--json'], host)).toBe(1);
  expect(JSON.parse(host.out()).error.got).toEqual([
    expect.objectContaining({ rule: expect.stringContaining('accurracy') }),
  ]);
});

test('--dry-run shows the event and needs no target', async () => {
  const host = testHost({ input: '{"model_id":"resnet50_v1","accuracy":0.95,"timestamp":1625097600}' });
  expect(await main(['publish', 'model.trained', '--data', '-', '--dry-run', '--json'], host)).toBe(0);
  expect(JSON.parse(host.out())).toMatchObject({
    dryRun: true,
    event: { type: 'model.trained', subject: 'resnet50_v1', data: { accuracy: 0.95 } },
  });
  expect(eventbridge.commandCalls(PutEventsCommand)).toHaveLength(0);
});

test.each([
  [['publish', 'model.trained'], 'The event needs data'],
  [['publish', 'model.trained', '--data', '{'], 'The data is not JSON'],
  [['publish', 'model.trained', '--data', '@nowhere.json'], "can't be read (ENOENT)"],
  [['publish', 'model.trained@9', '--example'], 'has no version 9'],
])('fails when the data or the contract is missing: %j', async (argv, message) => {
  const host = testHost();
  expect(await main(argv, host)).toBe(2);
  expect(host.err()).toContain(message);
});

const onAws = { env: { AWS_REGION: 'eu-central-1' } };

test('says who hears what was sent, and where to see what passes from then on', async () => {
  cloudformation.on(DescribeStacksCommand).resolves(stackAnswer(pipelineOutputs()));
  eventbridge.on(PutEventsCommand).resolves({ Entries: [{ EventId: '1' }] });
  const host = testHost(onAws);
  expect(await main(['publish', 'model.evaluated', '--example', '--target', 'aws'], host)).toBe(0);
  expect(host.out()).toMatch(/^model\.evaluated .*\nheard by deploy-model\nnpx headrace events in a second terminal/);
  const json = testHost(onAws);
  await main(['publish', 'model.evaluated', '--example', '--target', 'aws', '--json'], json);
  expect(JSON.parse(json.out())).toMatchObject({ type: 'model.evaluated', consumers: ['deploy-model'] });
});

test('says that nobody listens, that a listener is not deployed yet, and that one hears only some', () => {
  const project = discover(PROJECT);
  const deployed = { outputs: pipelineOutputs() };
  expect(heardBy({ type: 'report.published' }, project, deployed)).toBe('nobody listens to it');
  expect(heardBy({ type: 'model.evaluated' }, project, { outputs: pipelineOutputs('DeployModel') })).toBe(
    'heard by deploy-model (not deployed yet)',
  );
  const modules = project.modules.map((found) => ({
    ...found,
    declared: { ...found.declared, on: found.declared.on.map((entry) => ({ ...entry, where: {} })) },
  }));
  const filtered: Project = { ...project, modules };
  expect(heardBy({ type: 'model.evaluated' }, filtered, deployed)).toBe(
    'heard by deploy-model (where its filter fits)',
  );
});
