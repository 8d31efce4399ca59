import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describe('with a spool', () => {
  let spool = '';
  beforeEach(() => {
    spool = mkdtempSync(join(tmpdir(), 'headrace-spool-'));
    cloudformation.on(DescribeStacksCommand).resolves(stackAnswer(pipelineOutputs()));
  });
  afterEach(() => rmSync(spool, { recursive: true, force: true }));

  const denied = Object.assign(new Error('broken'), { $metadata: { httpStatusCode: 400 } });
  const run = async (...argv: string[]) => {
    const host = testHost(onAws);
    const code = await main(['publish', ...argv, '--spool', spool, '--target', 'aws', '--json'], host);
    return { code, host, result: JSON.parse(host.out()) };
  };
  const ids = () =>
    eventbridge
      .commandCalls(PutEventsCommand)
      .map(({ args: [{ input }] }) => JSON.parse(input.Entries?.[0]?.Detail ?? '').id as string);

  test('what could not be sent is sent first by the next call, under the same id', async () => {
    eventbridge.on(PutEventsCommand).rejects(denied);
    expect((await run('model.evaluated', '--example')).code).not.toBe(0);
    expect(readdirSync(spool)).toHaveLength(1);
    eventbridge.on(PutEventsCommand).resolves({ Entries: [{ EventId: '1' }] });
    const { code, result, host } = await run('model.evaluated', '--example');
    expect(code).toBe(0);
    expect(result).toMatchObject({ spool: { sent: 1, left: [] } });
    expect(host.err()).toContain('sent what was left: 1 event');
    const [failed, repeated, own] = ids();
    expect([repeated, own]).toEqual([failed, result.id]);
    expect(readdirSync(spool)).toEqual([]);
  });

  test('and no event only what was left is sent; a dry run shows it and sends nothing', async () => {
    eventbridge.on(PutEventsCommand).rejects(denied);
    await run('model.evaluated', '--example');
    eventbridge.reset();
    eventbridge.on(PutEventsCommand).resolves({ Entries: [{ EventId: '1' }] });
    expect((await run('--dry-run')).result).toEqual({ dryRun: true, spool: { sent: 1, left: [] } });
    expect(ids()).toEqual([]);
    expect((await run()).result).toEqual({ dryRun: false, spool: { sent: 1, left: [] } });
    expect(ids()).toHaveLength(1);
  });

  test('a file that cannot be read is named, kept, and told by the exit code', async () => {
    writeFileSync(join(spool, 'x.json'), '{');
    const { code, result, host } = await run();
    expect(code).toBe(1);
    expect(result.spool.left).toMatchObject([{ file: join(spool, 'x.json'), code: 'HR323' }]);
    expect(host.err()).toContain('HR323');
    expect(readdirSync(spool)).toEqual(['x.json']);
  });

  test('is needed where no event is named', async () => {
    const host = testHost(onAws);
    expect(await main(['publish'], host)).toBe(2);
    expect(host.err()).toContain('HR501');
  });
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
