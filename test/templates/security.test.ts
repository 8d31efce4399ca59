import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { runFailed } from '../../lib/module';
import { actionsOf, entries, type Placed, rights } from './support/policies';
import { synthesize, wholeProject } from './support/synthesize';

const project = wholeProject();
const whole = synthesize(project);
const granted = rights(whole);
const let_in = entries(whole);

const work = [...project.modules, ...project.steps].map(({ declared }) => declared);
const rightsOf = (name: string): readonly Placed[] => {
  const id = name.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  return granted.filter(({ of }) => of.startsWith(`Pipeline${id}`));
};
const of = (name: string, action: string) =>
  rightsOf(name).filter(({ statement }) => actionsOf(statement).includes(action));

describe('least privilege', () => {
  test('no action is a wildcard', () => {
    expect(granted.flatMap(({ statement }) => actionsOf(statement)).filter((action) => action.includes('*'))).toEqual(
      [],
    );
  });

  test('no right is on everything, but for log delivery and traces, which know no single resources', () => {
    const everything = granted.filter(({ statement }) => statement.Resource === '*');
    const actions = everything.flatMap(({ statement }) => actionsOf(statement));
    expect(
      actions.filter((action) => !/^(logs:.*(Delivery|Deliveries|ResourcePolic|LogGroups)|xray:)/.test(action)),
    ).toEqual([]);
  });

  test('nobody deletes objects, reads tables whole, or has a managed policy', () => {
    const actions = new Set(granted.flatMap(({ statement }) => actionsOf(statement)));
    const forbidden = [...actions].filter((action) =>
      /^(s3:Delete|dynamodb:(Scan|Query|Delete|Batch)|iam:|sqs:Purge)/.test(action),
    );
    expect(forbidden).toEqual([]);
    for (const { Properties } of Object.values(whole.all('AWS::IAM::Role'))) {
      expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    }
  });

  test.each(work)('$name emits what it declares and nothing else', ({ name, emits }) => {
    const puts = of(name, 'events:PutEvents');
    const types = puts.flatMap(({ statement }) => statement.Condition?.StringEquals?.['events:detail-type']);
    const sources = puts.flatMap(
      ({ statement }) => statement.Condition?.['ForAllValues:StringEquals']?.['events:source'],
    );
    expect(types).toEqual([...new Set(emits.map(({ type }) => type))].sort());
    expect(sources).toEqual([...new Set(emits.map(({ source }) => source))].sort());
  });

  test.each(work)(
    '$name touches the stores it declares, and writes only where it says so',
    ({ name, kind, stores }) => {
      const own = kind === 'step' ? { ...stores, runs: 'write' } : stores;
      const buckets = (action: string) =>
        of(name, action)
          .map(({ statement }) =>
            /Store([A-Z][a-z]+)Bucket/.exec(JSON.stringify(statement.Resource))?.[1]?.toLowerCase(),
          )
          .sort();
      const writable = Object.entries(own).filter(([, access]) => access === 'write');
      expect(buckets('s3:GetObject')).toEqual(Object.keys(own).sort());
      expect(buckets('s3:ListBucket')).toEqual(Object.keys(own).sort());
      expect(buckets('s3:PutObject')).toEqual(writable.map(([store]) => store).sort());
    },
  );

  test.each(work)('$name keeps its own items of the ledger', ({ name }) => {
    const [ledger, ...more] = rightsOf(name).filter(({ statement }) =>
      actionsOf(statement).some((action) => action.startsWith('dynamodb:')),
    );
    expect(more).toEqual([]);
    expect(actionsOf(ledger!.statement)).toEqual(['dynamodb:GetItem', 'dynamodb:UpdateItem']);
    expect(ledger!.statement.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${name}#*`] },
    });
  });

  test('a module uses its own two queues, a step none', () => {
    for (const { name, kind } of work) {
      const queues = [...of(name, 'sqs:ReceiveMessage'), ...of(name, 'sqs:SendMessage')];
      expect(queues.map(({ statement }) => JSON.stringify(statement.Resource))).toEqual(
        kind === 'step' ? [] : [expect.stringMatching(/InboxQueue/), expect.stringMatching(/InboxDeadLetterQueue/)],
      );
    }
  });

  test('a starter starts one state machine, and that calls its own steps and tells of its failures', () => {
    expect(of('train-digits', 'states:StartExecution').map(({ of: id }) => id)).toEqual([
      expect.stringContaining('StarterWorkRole'),
      expect.stringContaining('MapRuns'),
    ]);
    const [calls] = of('train-digits', 'lambda:InvokeFunction');
    expect(calls?.statement.Resource).toHaveLength(project.steps.length);
    const [tells] = of('train-digits', 'events:PutEvents');
    expect(tells?.statement.Condition?.StringEquals).toEqual({ 'events:detail-type': [runFailed.type] });
  });
});

describe('who is let in', () => {
  const services = let_in.filter(({ statement }) => statement.Effect === 'Allow' && statement.Principal?.Service);

  test('a service only on behalf of one source, so that nobody else can send it', () => {
    const unbound = services.filter(
      ({ statement }) => !JSON.stringify(statement.Condition ?? '').includes('aws:SourceArn'),
    );
    // Lambda sends no source when it assumes an execution role; giving a role to a function takes iam:PassRole.
    expect(unbound.filter(({ statement }) => statement.Principal?.Service !== 'lambda.amazonaws.com')).toEqual([]);
    expect(unbound.every(({ statement }) => actionsOf(statement).includes('sts:AssumeRole'))).toBe(true);
  });

  test('only rules send to queues, each to its own', () => {
    const senders = services.filter(({ statement }) => actionsOf(statement).includes('sqs:SendMessage'));
    expect(senders.length).toBe(2 * Object.keys(whole.all('AWS::Events::Rule')).length);
    for (const { of: policy, statement } of senders) {
      const rule = JSON.stringify(statement.Condition?.ArnEquals?.['aws:SourceArn']);
      expect(rule).toContain(policy.replace(/(DeadLetterQueue|Queue)Policy.*$/, 'Rule'));
    }
  });

  test('nobody without TLS', () => {
    const queues = Object.keys(whole.all('AWS::SQS::Queue')).length;
    const buckets = Object.keys(whole.all('AWS::S3::Bucket')).length;
    const denied = let_in.filter(
      ({ statement }) => statement.Effect === 'Deny' && statement.Condition?.Bool?.['aws:SecureTransport'] === 'false',
    );
    expect(denied).toHaveLength(queues + buckets);
  });
});

describe.each([
  ['as it is', whole],
  ['with traces', synthesize(project, { tracing: true })],
])('the pipeline %s', (_, { stack }) => {
  test.each([new AwsSolutionsChecks(), new ServerlessChecks()])('holds or answers every rule of $name', (pack) => {
    const { violations } = pack.validateScope(stack);
    const said = violations.map(
      ({ ruleName, description, violatingResources }) =>
        `${ruleName}: ${description} ${violatingResources.map(({ constructPath }) => constructPath).join(', ')}`,
    );
    expect(said).toEqual([]);
  });
});
