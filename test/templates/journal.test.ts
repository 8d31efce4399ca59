import { objectCreated } from '../../lib/contract';
import { defineModule, ENV, JOURNAL, OUTPUT, on, type Project } from '../../lib/module';
import { actionsOf, rights } from './support/policies';
import { type Resource, smallProject, stubBundles, synthesize } from './support/synthesize';

const small = synthesize(smallProject());

const rulesOf = (from: typeof small) =>
  Object.values(from.all('AWS::Events::Rule'))
    .map(({ Properties }: Resource) => Properties)
    .filter(({ Description }) => Description === 'Events for the journal');

/** The small project with one module more. */
function withModule(options: Partial<Parameters<typeof defineModule>[0]>): Project {
  const project = smallProject();
  const [first] = project.modules;
  const declared = defineModule({
    name: 'count-samples',
    summary: 'Counts samples',
    on: first!.declared.on,
    emits: [],
    ...options,
  });
  return { ...project, modules: [...project.modules, { declared, file: first!.file }] };
}

describe('the journal', () => {
  test('hears everything on the own bus, and of watched stores everything whatever their listeners filter', () => {
    expect(rulesOf(small).map(({ EventBusName, EventPattern }) => [EventBusName, EventPattern])).toEqual([
      [{ Ref: expect.stringContaining('EventBus') }, { 'detail-type': [{ prefix: '' }] }],
      [
        'default',
        {
          source: ['aws.s3'],
          'detail-type': ['Object Created'],
          detail: { bucket: { name: [{ Ref: expect.stringContaining('StoreSamples') }] } },
        },
      ],
    ]);
  });

  test('hears a store once, however many modules watch it', () => {
    const where = { object: { key: [{ suffix: '.csv' }] } };
    const twice = withModule({ on: [on(objectCreated('samples'), where)] });
    expect(rulesOf(synthesize(twice))).toHaveLength(2);
  });

  test('may add objects under one prefix of its own store, and touch nothing else but its log and queue', () => {
    const own = rights(small).filter(({ of }) => of.includes('JournalWorkRole'));
    expect(own.flatMap(({ statement }) => actionsOf(statement)).sort()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:PutObject',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
    ]);
    const [put] = own.filter(({ statement }) => actionsOf(statement).includes('s3:PutObject'));
    expect(JSON.stringify(put?.statement.Resource)).toMatch(/StoreJournalBucket.*\/events\/\*/);
  });

  test('takes up to a hundred events at a time, waits some seconds for them, and tries for 16 hours', () => {
    const [mapping] = Object.entries(small.all('AWS::Lambda::EventSourceMapping')).filter(([id]) =>
      id.includes('Journal'),
    );
    expect(mapping?.[1].Properties).toMatchObject({ BatchSize: 100, MaximumBatchingWindowInSeconds: 5 });
    expect(mapping?.[1].Properties).not.toHaveProperty('FunctionResponseTypes');
    const [queue] = Object.entries(small.all('AWS::SQS::Queue')).filter(([id]) => id.includes('JournalInboxQueue'));
    expect(queue?.[1].Properties).toMatchObject({
      MessageRetentionPeriod: 345_600,
      VisibilityTimeout: 60,
      RedrivePolicy: { maxReceiveCount: 1000 },
    });
  });

  test('knows its store and no ledger', () => {
    const [found] = Object.entries(small.all('AWS::Lambda::Function')).filter(([id]) => id.includes('JournalWork'));
    const variables = Object.keys(found?.[1].Properties.Environment.Variables);
    expect(variables.sort()).toEqual([ENV.bus, ENV.codeVersion, ENV.store(JOURNAL)].sort());
  });

  test('can be left out, and then its name is free', () => {
    const project = withModule({ stores: { journal: 'write' } });
    const bundles = new Map([...stubBundles(project)].filter(([name]) => name !== JOURNAL));
    const without = synthesize(project, { journal: false, bundles });
    expect(without.pipeline.journal).toBeUndefined();
    expect(rulesOf(without)).toEqual([]);
    expect(Object.keys(without.template.toJSON().Outputs)).not.toContain(OUTPUT.queue(JOURNAL));
  });

  test('keeps its name for itself: a module cannot use its store, nor watch it', () => {
    expect(() => synthesize(withModule({ stores: { journal: 'read' } }))).toThrow(/HR603.*used by count-samples/s);
    expect(() => synthesize(withModule({ on: [objectCreated('journal')] }))).toThrow(/HR603/);
  });
});
