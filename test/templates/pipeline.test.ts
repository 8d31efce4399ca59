import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '../../lib/contract/limits';
import { ENV, OUTPUT } from '../../lib/module';
import { expectGolden } from './support/golden';
import { type Resource, smallProject, stubBundles, synthesize, wholeProject } from './support/synthesize';
import { toYaml } from './support/yaml';

const small = synthesize(smallProject());
const whole = synthesize(wholeProject());

/** The only resource of the type whose logical id has the words in it. */
function only(type: string, words: string, from = small): Resource {
  const found = Object.entries(from.all(type)).filter(([id]) => id.includes(words));
  expect(found.map(([id]) => id)).toHaveLength(1);
  return found[0]![1];
}

const withoutAsset = (text: string) => text.replaceAll(/[0-9a-f]{64}\.zip/g, '<asset>.zip');

test('the template of a small project is the one that was reviewed', () => {
  const { Resources, Outputs } = structuredClone(small.template.toJSON());
  const resources = Object.entries<Resource>(Resources).filter(([, { Type }]) => Type !== 'AWS::CloudWatch::Alarm');
  for (const [, { Type, Properties }] of resources) {
    if (Type === 'AWS::StepFunctions::StateMachine') Properties.DefinitionString = '<see small-project.asl.yaml>';
  }
  const kept = { Resources: Object.fromEntries(resources), Outputs };
  expectGolden('small-project.yaml', withoutAsset(toYaml(kept)));
});

test('the state machine of a small project is the one that was reviewed', () => {
  const { Properties } = only('AWS::StepFunctions::StateMachine', 'FitModel');
  expectGolden('small-project.asl.yaml', toYaml(JSON.parse(Properties.DefinitionString)));
});

describe('what a declaration becomes', () => {
  test('one rule for each entry of `on`: on the own bus by type and data, on the default bus by bucket', () => {
    const rules = Object.values(small.all('AWS::Events::Rule')).map(({ Properties }) => Properties);
    // Two of the module, one of the workflow, and one for the ends of its executions.
    expect(rules.filter(({ Description }) => Description !== 'Events for the journal')).toHaveLength(4);
    expect(rules[0]).toMatchObject({
      EventBusName: { Ref: expect.stringContaining('EventBus') },
      EventPattern: { 'detail-type': ['sample.arrived'], detail: { data: { bytes: [{ numeric: ['>', 0] }] } } },
    });
    expect(rules[1]).toMatchObject({
      EventBusName: 'default',
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: {
          bucket: { name: [{ Ref: expect.stringContaining('StoreSamples') }] },
          object: { key: [{ prefix: 'inbox/' }] },
        },
      },
    });
  });

  test('what a rule cannot deliver goes to the dead letter queue of its subscription', () => {
    for (const { Properties } of Object.values(whole.all('AWS::Events::Rule'))) {
      expect(Properties.Targets).toHaveLength(1);
      const [target] = Properties.Targets;
      expect(target.DeadLetterConfig.Arn['Fn::GetAtt'][0]).toContain('DeadLetterQueue');
      expect(target.DeadLetterConfig.Arn['Fn::GetAtt'][0]).not.toBe(target.Arn['Fn::GetAtt'][0]);
    }
  });

  test('a queue that hides a message six function timeouts long, and gives up after the attempts of a whole batch and three more', () => {
    const { Properties } = only('AWS::SQS::Queue', 'LabelSampleInboxQueue');
    expect(Properties).toMatchObject({
      VisibilityTimeout: 360,
      MessageRetentionPeriod: 345_600,
      SqsManagedSseEnabled: true,
      RedrivePolicy: { maxReceiveCount: 33 },
    });
    expect(only('AWS::SQS::Queue', 'LabelSampleInboxDeadLetterQueue').Properties).toMatchObject({
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
    });
  });

  test('an event source that reports failures one by one and caps its own concurrency', () => {
    expect(only('AWS::Lambda::EventSourceMapping', 'LabelSample').Properties).toMatchObject({
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
    for (const { Properties } of Object.values(whole.all('AWS::Lambda::Function'))) {
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });

  test('a function with its own log, kept a month', () => {
    expect(only('AWS::Lambda::Function', 'LabelSample').Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 512,
      Timeout: 60,
      LoggingConfig: { LogGroup: { Ref: expect.stringContaining('LabelSample') }, LogFormat: 'JSON' },
    });
    const logs = Object.values(whole.all('AWS::Logs::LogGroup'));
    expect(logs.map(({ Properties }) => Properties.RetentionInDays)).toEqual(logs.map(() => 30));
  });

  test('an environment that names what the runtime needs, and no more', () => {
    const variables = (words: string) =>
      Object.keys(only('AWS::Lambda::Function', words).Properties.Environment.Variables).sort();
    const common = [ENV.bus, ENV.codeVersion, ENV.ledger];
    const queues = [ENV.deadLetterQueueUrl, ENV.queueUrl];
    expect(variables('LabelSample')).toEqual([...common, ...queues, ENV.store('samples')].sort());
    expect(variables('ListFolds')).toEqual([...common, ENV.store('runs'), ENV.store('samples')].sort());
    expect(variables('FitModelStarter')).toEqual([...common, ...queues, ENV.stateMachineArn].sort());
  });

  test('a URL for signed requests only', () => {
    expect(only('AWS::Lambda::Url', 'LabelSample').Properties.AuthType).toBe('AWS_IAM');
    expect(Object.keys(small.all('AWS::Lambda::Permission'))).toEqual([]);
  });

  test('a state machine that logs every event without its data, and is traced', () => {
    expect(only('AWS::StepFunctions::StateMachine', 'FitModel').Properties).toMatchObject({
      LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
      TracingConfiguration: { Enabled: true },
      DefinitionSubstitutions: { FitFold: { 'Fn::GetAtt': [expect.stringContaining('FitFold'), 'Arn'] } },
    });
  });

  test('outputs under the keys by which the command line finds everything', () => {
    expect(Object.keys(small.template.toJSON().Outputs).sort()).toEqual(
      [
        OUTPUT.bus,
        OUTPUT.ledger,
        OUTPUT.store('samples'),
        OUTPUT.store('runs'),
        OUTPUT.store('journal'),
        ...['label-sample', 'fit-model', 'journal'].flatMap((name) => [
          OUTPUT.queue(name),
          OUTPUT.deadLetterQueue(name),
        ]),
        ...['label-sample', 'list-folds', 'fit-fold', 'fit-model', 'journal'].map(OUTPUT.function),
        OUTPUT.url('label-sample'),
        OUTPUT.stateMachine('fit-model'),
      ].sort(),
    );
  });
});

describe('what is kept', () => {
  test('buckets are private, encrypted, and read over TLS only', () => {
    for (const { Properties } of Object.values(whole.all('AWS::S3::Bucket'))) {
      expect(Properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(Properties.BucketEncryption).toBeDefined();
    }
    expect(Object.keys(whole.all('AWS::S3::BucketPolicy'))).toHaveLength(
      Object.keys(whole.all('AWS::S3::Bucket')).length,
    );
  });

  test('only a store somebody listens to tells of its objects', () => {
    const told = (words: string) => only('AWS::S3::Bucket', words, whole).Properties.NotificationConfiguration;
    expect(told('StoreDatasets')).toEqual({ EventBridgeConfiguration: { EventBridgeEnabled: true } });
    expect(told('StoreModels')).toBeUndefined();
    expect(told('StoreRuns')).toBeUndefined();
  });

  test('what belongs to a run goes a week after the ledger forgets it, the rest stays with its versions', () => {
    const runs = only('AWS::S3::Bucket', 'StoreRuns').Properties;
    expect(runs.LifecycleConfiguration.Rules).toEqual([
      expect.objectContaining({
        ExpirationInDays: LIMITS.runDays.value,
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
        Status: 'Enabled',
      }),
    ]);
    expect(runs).not.toHaveProperty('VersioningConfiguration');
    expect(only('AWS::S3::Bucket', 'StoreSamples').Properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
    });
  });

  test('the ledger is paid by request, recoverable, and forgets by itself', () => {
    expect(only('AWS::DynamoDB::Table', 'Ledger').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      DeletionProtectionEnabled: true,
    });
  });

  test('stores and ledger outlive their stack, unless it is ephemeral by property or context', () => {
    const policies = (from: typeof small) =>
      ['AWS::S3::Bucket', 'AWS::DynamoDB::Table'].flatMap((type) =>
        Object.values(from.all(type)).map(({ DeletionPolicy }) => DeletionPolicy),
      );
    const ephemeral = synthesize(smallProject(), { ephemeral: true });
    expect(new Set(policies(small))).toEqual(new Set(['Retain']));
    expect(new Set(policies(ephemeral))).toEqual(new Set(['Delete']));
  });
});

describe('refusals', () => {
  test('fails when a queue is set so that messages would be lost', () => {
    const queues = { 'label-sample': { visibilitySeconds: 60, deadLetterRetentionSeconds: 86_400 } };
    expect(() => synthesize(smallProject(), { queues })).toThrow(
      /HR601.*label-sample.*visibilitySeconds.*got 60.*deadLetterRetentionSeconds.*got 86400/s,
    );
  });

  test('fails when queues are set for a module that does not exist', () => {
    const queues = { 'label-samples': { maxReceiveCount: 9 } };
    expect(() => synthesize(smallProject(), { queues })).toThrow(/HR601.*label-samples.*Allowed: label-sample/s);
  });

  test('fails when the code of a function is missing', () => {
    const project = smallProject();
    const bundles = new Map([...stubBundles(project)].filter(([name]) => name !== 'fit-fold'));
    expect(() => synthesize(project, { bundles })).toThrow(/HR602.*no bundle of fit-fold/s);
  });
});

test('the whole pipeline stays far below the 500 resources of a stack', () => {
  expect(Object.keys(whole.template.toJSON().Resources).length).toBeLessThan(150);
});

/** Installing the linter, once, takes a while. */
const LINT_TIMEOUT = 180_000;

test(
  'cfn-lint finds nothing in the whole template',
  () => {
    const file = join(mkdtempSync(join(tmpdir(), 'headrace-lint-')), 'template.json');
    // The linter's schema of state machines knows only the partition `aws`.
    const text = JSON.stringify(whole.template.toJSON()).replaceAll(/arn:\$\{Partition\}:states/g, 'arn:aws:states');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(join(__dirname, 'cfn-lint.sh'), [file], { encoding: 'utf8' });
    expect([stdout, stderr, status]).toEqual(['', '', 0]);
  },
  LINT_TIMEOUT,
);
