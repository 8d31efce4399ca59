import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteRuleCommand,
  EventBridgeClient,
  ListRulesCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { type SeenEvent, tail } from '../../lib/cli';
import { Output } from '../../lib/cli/output';
import { filterPattern } from '../../lib/cli/tail';
import { eventLine } from '../../lib/cli/tail/event-line';
import { readBusEvent } from '../../lib/cli/tail/read-bus-event';
import { screen, testHost } from './test-host';

const sqs = mockClient(SQSClient);
const eventbridge = mockClient(EventBridgeClient);
const source = {
  name: 'bus',
  sqs: new SQSClient({ region: 'us-east-1' }),
  eventbridge: new EventBridgeClient({ region: 'us-east-1' }),
};

const envelope = (id: string, time: string) => ({
  specversion: '1.0',
  id,
  source: 'headrace.model',
  type: 'model.trained',
  time,
  subject: 'm-1',
  dataschema: 'urn:headrace:model.trained:2',
  correlationid: 'first',
  causationid: 'cause',
  hops: 3,
  data: { accuracy: 0.95 },
});

const body = (detail: object) =>
  JSON.stringify({
    id: 'bus-id',
    source: 'headrace.model',
    'detail-type': 'model.trained',
    time: '2026-01-01T00:00:00Z',
    detail,
  });

async function emptyPoll() {
  await sleep(5);
  return {};
}

beforeEach(() => {
  sqs.reset();
  eventbridge.reset();
  sqs.on(ListQueuesCommand).resolves({});
  sqs.on(CreateQueueCommand).resolves({ QueueUrl: 'tail-queue' });
  sqs.on(GetQueueAttributesCommand).resolves({ Attributes: { QueueArn: 'arn:queue', LastModifiedTimestamp: '1' } });
  sqs.on(SetQueueAttributesCommand).resolves({});
  sqs.on(DeleteMessageBatchCommand).resolves({});
  sqs.on(DeleteQueueCommand).resolves({});
  sqs.on(ReceiveMessageCommand).callsFake(emptyPoll);
  eventbridge.on(PutRuleCommand).resolves({ RuleArn: 'arn:rule' });
  eventbridge.on(PutTargetsCommand).resolves({});
  eventbridge.on(ListRulesCommand).resolves({ Rules: [{ Name: 'the-rule' }] });
  eventbridge.on(RemoveTargetsCommand).resolves({});
  eventbridge.on(DeleteRuleCommand).resolves({});
});

test('hears each event once, in order of time, and removes rule and queue at the end', async () => {
  const messages = [
    { Body: body(envelope('b', '2026-01-01T00:00:02.000Z')), ReceiptHandle: '1' },
    { Body: body(envelope('a', '2026-01-01T00:00:01.000Z')), ReceiptHandle: '2' },
    { Body: body(envelope('b', '2026-01-01T00:00:02.000Z')), ReceiptHandle: '3' },
    { Body: 'no event', ReceiptHandle: '4' },
  ];
  sqs.on(ReceiveMessageCommand).resolvesOnce({ Messages: messages }).callsFake(emptyPoll);
  const heard: SeenEvent[] = [];
  const stop = new AbortController();
  const hear = (event: SeenEvent) => {
    heard.push(event);
    if (heard.length === 2) setImmediate(() => stop.abort());
  };
  await tail(source, hear, stop.signal);
  expect(heard.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(eventbridge.commandCalls(DeleteRuleCommand)).toHaveLength(1);
  expect(sqs.commandCalls(DeleteQueueCommand)[0]?.args[0].input).toEqual({ QueueUrl: 'tail-queue' });
});

test('fails when the rule cannot be made, and leaves no queue behind', async () => {
  eventbridge.on(PutRuleCommand).rejects(new Error('no more rules'));
  await expect(tail(source, () => undefined, new AbortController().signal)).rejects.toThrow('no more rules');
  expect(sqs.commandCalls(DeleteQueueCommand)).toHaveLength(1);
});

test('removes what a killed tail left behind, once nobody has renewed it for an hour', async () => {
  const old = Date.now() - 2 * 3_600_000;
  const young = Date.now() - 60_000;
  sqs
    .on(ListQueuesCommand)
    .resolves({ QueueUrls: [`http://q/headrace-tail-${old}-aa`, `http://q/headrace-tail-${young}-bb`] });
  await tail(source, () => undefined, AbortSignal.abort());
  const deleted = sqs.commandCalls(DeleteQueueCommand).map(({ args }) => args[0].input.QueueUrl);
  expect(deleted).toEqual([`http://q/headrace-tail-${old}-aa`, 'tail-queue']);
});

test('reads our envelope, and makes the best of an event that has none', () => {
  expect(readBusEvent(body(envelope('a', '2026-01-01T00:00:01.000Z')))).toMatchObject({
    id: 'a',
    version: 2,
    correlationId: 'first',
    causationId: 'cause',
    hops: 3,
    data: { accuracy: 0.95 },
  });
  expect(readBusEvent(body({ anything: 1 }))).toMatchObject({
    id: 'bus-id',
    correlationId: 'bus-id',
    data: { anything: 1 },
  });
});

test('a filter becomes a pattern of the bus', () => {
  const none = { type: undefined, subject: undefined, correlation: undefined };
  expect(filterPattern(none)).toBeUndefined();
  expect(filterPattern({ ...none, type: 'model.*' })).toEqual({ 'detail-type': [{ wildcard: 'model.*' }] });
  expect(filterPattern({ ...none, subject: 'm-1', correlation: 'c' })).toEqual({
    detail: { subject: ['m-1'], correlationid: ['c'] },
  });
});

const withheld: SeenEvent = {
  id: 'e-1',
  type: 'model.withheld',
  source: 'headrace.model',
  time: '2026-01-01T00:00:00.000Z',
  subject: `model-${'0'.repeat(32)}`,
  version: 1,
  correlationId: 'abcdefgh-0000',
  hops: 3,
  data: { kind: 'candidate', accuracy: 0.91, reason: `the champion is better ${'by far '.repeat(30)}and stays` },
};

test('an event that is piped is told whole, with the reason and the figures first', () => {
  const line = eventLine(withheld, new Output({ json: false, host: testHost() }));
  expect(line).toMatch(
    / {2}model-0{32} {2}the champion is better .*and stays {2}accuracy=0\.91 {2}kind=candidate {2}abcdefgh$/,
  );
  const silent = eventLine({ ...withheld, subject: 'm', data: {} }, new Output({ json: false, host: testHost() }));
  expect(silent).toMatch(/ {2}m {2,}abcdefgh$/);
});

test.each([80, 100, 140])('in a terminal of %i columns an event fits its line and ends without spaces', (columns) => {
  const host = testHost({ env: { NO_COLOR: '1' }, stdout: screen(columns) });
  for (const data of [withheld.data, {}]) {
    const line = eventLine({ ...withheld, data }, new Output({ json: false, host }));
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).toBe(line.trimEnd());
  }
});
