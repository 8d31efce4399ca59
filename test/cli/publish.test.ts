import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { main } from '../../lib/cli';
import { testHost } from './test-host';

const eventbridge = mockClient(EventBridgeClient);

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
