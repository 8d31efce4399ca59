import { randomBytes } from 'node:crypto';
import {
  DeleteRuleCommand,
  type EventBridgeClient,
  ListRulesCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { TailSource } from './tail';

/** What a tail owns on the target: a queue, and rules that fill it, all of one name. */
export interface Ear {
  readonly name: string;
  readonly queueUrl: string;
  /** Buses that have a rule of that name. */
  readonly buses: readonly string[];
}

const PREFIX = 'headrace-tail-';
const RETENTION_SECONDS = 3600;
const ABANDONED_AFTER_MS = 3_600_000;

type Access = Pick<TailSource, 'eventbridge' | 'sqs' | 'name'>;

/** Creates queue and rules. What was created is removed again when one of the calls fails. */
export async function setUpEar(source: TailSource & { readonly pattern: object }): Promise<Ear> {
  const { eventbridge, sqs } = source;
  const name = `${PREFIX}${Date.now()}-${randomBytes(3).toString('hex')}`;
  const { QueueUrl = '' } = await sqs.send(
    new CreateQueueCommand({ QueueName: name, Attributes: { MessageRetentionPeriod: String(RETENTION_SECONDS) } }),
  );
  const rules = [
    { bus: source.name, patterns: [source.pattern] },
    { bus: 'default', patterns: (source.defaultBus ?? []).map(({ pattern }) => pattern) },
  ].flatMap(({ bus, patterns }) => patterns.map((pattern, i) => ({ bus, pattern, rule: `${name}-${i}` })));
  const ear = { name, queueUrl: QueueUrl, buses: [...new Set(rules.map(({ bus }) => bus))] };
  try {
    const queueArn = await arnOf(sqs, QueueUrl);
    const ruleArns = await Promise.all(rules.map((rule) => putRule(eventbridge, rule)));
    await sqs.send(
      new SetQueueAttributesCommand({
        QueueUrl,
        Attributes: { Policy: JSON.stringify(policy(queueArn, ruleArns)) },
      }),
    );
    for (const { bus, rule } of rules) {
      const Targets = [{ Id: 'Queue', Arn: queueArn }];
      await eventbridge.send(new PutTargetsCommand({ Rule: rule, EventBusName: bus, Targets }));
    }
    return ear;
  } catch (error) {
    await removeEar(source, ear).catch(() => undefined);
    throw error;
  }
}

async function arnOf(sqs: SQSClient, queueUrl: string): Promise<string> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
  );
  return Attributes?.QueueArn ?? '';
}

interface RuleWanted {
  readonly bus: string;
  readonly rule: string;
  readonly pattern: object;
}

async function putRule(client: EventBridgeClient, { bus, rule, pattern }: RuleWanted): Promise<string> {
  const { RuleArn = '' } = await client.send(
    new PutRuleCommand({
      Name: rule,
      EventBusName: bus,
      EventPattern: JSON.stringify(pattern),
      Description: 'A running headrace events or headrace demo; removed when it ends',
    }),
  );
  return RuleArn;
}

const policy = (queueArn: string, ruleArns: readonly string[]) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: queueArn,
      Condition: { ArnEquals: { 'aws:SourceArn': ruleArns } },
    },
  ],
});

/** Removes rules and queue, each even when another can't be removed; throws the first failure at the end. */
export async function removeEar({ eventbridge, sqs }: Access, ear: Omit<Ear, 'queueUrl'> & { queueUrl?: string }) {
  const removals = [
    ...ear.buses.map((bus) => removeRules(eventbridge, bus, ear.name)),
    ...(ear.queueUrl ? [sqs.send(new DeleteQueueCommand({ QueueUrl: ear.queueUrl }))] : []),
  ];
  const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function removeRules(client: EventBridgeClient, bus: string, prefix: string): Promise<void> {
  const { Rules = [] } = await client.send(new ListRulesCommand({ EventBusName: bus, NamePrefix: prefix }));
  for (const { Name } of Rules) {
    await client.send(new RemoveTargetsCommand({ Rule: Name, EventBusName: bus, Ids: ['Queue'] }));
    await client.send(new DeleteRuleCommand({ Name, EventBusName: bus }));
  }
}

/** Marks the ear as still in use. */
export async function renewEar(sqs: SQSClient, { queueUrl }: Pick<Ear, 'queueUrl'>): Promise<void> {
  const Attributes = { MessageRetentionPeriod: String(RETENTION_SECONDS) };
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes }));
}

/** Removes what a tail that was killed left behind: nobody has renewed it for an hour. */
export async function sweepEars(source: Access): Promise<void> {
  const { QueueUrls = [] } = await source.sqs.send(new ListQueuesCommand({ QueueNamePrefix: PREFIX }));
  for (const queueUrl of QueueUrls) {
    const name = queueUrl.split('/').at(-1) ?? '';
    if (!isOld(Number(name.slice(PREFIX.length).split('-')[0]))) continue;
    const { Attributes } = await source.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['LastModifiedTimestamp'] }),
    );
    if (!isOld(Number(Attributes?.LastModifiedTimestamp ?? 0) * 1000)) continue;
    await removeEar(source, { name, queueUrl, buses: [source.name, 'default'] });
  }
}

const isOld = (milliseconds: number) => Date.now() - milliseconds > ABANDONED_AFTER_MS;
