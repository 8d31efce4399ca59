import '../support/quiet';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { type Cause, objectCreated } from '../../lib/contract';
import { defineModule, defineStep } from '../../lib/module';
import { chainFrom, chainText, consume, LETTER, type Logic, serveStep } from '../../lib/runtime';
import { CHAIN_METADATA, chainMetadata } from '../../lib/runtime/chain';
import { busEvent, lambdaContext, objectCreatedEvent, sqsEvent, sqsRecord } from '../support/aws';
import { Deployment } from '../support/deployment';
import { arrived, essayArrived, essayGraded, gradeEssay } from '../support/essays';
import { runOf } from '../support/work';

const cause: Cause = {
  id: 'e-1',
  type: 'essay.arrived',
  correlationId: 'e-0',
  hops: 3,
  trail: 'a.b/1 c.d/2',
  traceparent: '00-1-2-03',
};

describe('the text of a chain', () => {
  const causes: fc.Arbitrary<Cause> = fc
    .record({
      id: fc.string({ minLength: 1, unit: 'binary' }),
      type: fc.string({ minLength: 1 }),
      correlationId: fc.string({ minLength: 1 }),
      hops: fc.nat(),
      trail: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
      traceparent: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    })
    .map(({ trail, traceparent, ...rest }) => ({
      ...rest,
      ...(trail && { trail }),
      ...(traceparent && { traceparent }),
    }));

  test('gives back the cause it was made of', () => {
    fc.assert(
      fc.property(causes, (each) => expect(chainFrom(chainText(each))).toEqual(each)),
      { seed: 1 },
    );
  });

  test.each([
    [undefined],
    [''],
    ['hello'],
    ['null'],
    ['{}'],
    ['[]'],
    ['["e-1"]'],
    ['["e-1","a.b","e-0","3","",""]'],
    ['[1,"a.b","e-0",3,"",""]'],
    ['["e-1","a.b","e-0",3,""]'],
    ['["e-1","a.b","e-0",3,"",7]'],
  ])('that is none gives no cause: %s', (text) => {
    expect(chainFrom(text)).toBeUndefined();
  });
});

describe('the metadata of a chain', () => {
  const decoded = (long: Cause) => chainFrom(decodeURIComponent(chainMetadata(long)[CHAIN_METADATA] ?? ''));

  test('is plain ASCII, as a header must be', () => {
    const [text = ''] = Object.values(chainMetadata({ ...cause, id: 'é\n€' }));
    expect(text).toMatch(/^[\x21-\x7e]+$/);
    expect(decoded({ ...cause, id: 'é\n€' })).toEqual({ ...cause, id: 'é\n€' });
  });

  test('leaves out the trail, and then the chain, when they would not fit', () => {
    const { trail: _, ...short } = cause;
    expect(decoded({ ...cause, trail: 'x'.repeat(1_000) })).toHaveProperty('trail');
    expect(decoded({ ...cause, trail: 'x'.repeat(1_800) })).toEqual(short);
    expect(chainMetadata({ ...cause, id: 'x'.repeat(1_800) })).toEqual({});
  });
});

describe('in a function', () => {
  let aws: Deployment;
  beforeEach(() => {
    aws = new Deployment();
  });
  afterEach(() => aws.end());

  const scan = defineModule({
    name: 'scan-essay',
    summary: 'Reads what was written to the store',
    on: [objectCreated('essays')],
    emits: [essayArrived],
    stores: { essays: 'read' },
  });
  const tell: Logic<typeof scan> = async (event) => [
    essayArrived.create({ ...essayArrived.example, essay: event.subject }),
  ];
  const upload = () => sqsRecord(objectCreatedEvent('a', 'essays-bucket'));
  const scanUpload = (module = scan, logic = tell) => consume(module, logic)(sqsEvent(upload()), lambdaContext());
  const metadata = (text: string) => aws.s3.on(HeadObjectCommand).resolves({ Metadata: { [CHAIN_METADATA]: text } });

  test('an object carries the chain of the event that it was written for', async () => {
    await consume(gradeEssay, async (_, { stores }) => {
      await stores.essays.put('a', 'b');
      await stores.essays.replace('c', 'd', undefined);
      return [];
    })(sqsEvent(arrived('e-1')), lambdaContext());
    const written = aws.s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input.Metadata);
    const expected = chainMetadata({ id: 'e-1', type: 'essay.arrived', correlationId: 'e-1', hops: 0 });
    expect(written).toEqual([expected, expected]);
  });

  test('an object that a step writes carries the chain of the run, also in the store of the run', async () => {
    const mark = defineStep({ name: 'mark-essay', summary: 'Marks', emits: [], stores: { essays: 'write' } });
    const run = runOf({});
    await serveStep(mark, async (_, { stores, runs }) => {
      await stores.essays.put('a', 'b');
      await runs.put('c', 'd');
      return { outcome: 'marked', items: [1] };
    })({ run, turn: 0 }, lambdaContext());
    const written = aws.s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input.Metadata);
    expect(written).toEqual(Array(3).fill(chainMetadata(run.event as Cause)));
  });

  test('what follows from an object goes on with the chain it was written in', async () => {
    aws.s3.on(HeadObjectCommand, { Bucket: 'essays-bucket', Key: 'a' }).resolves({ Metadata: chainMetadata(cause) });
    expect(await scanUpload()).toEqual({ batchItemFailures: [] });
    expect(aws.published).toMatchObject([
      {
        correlationid: 'e-0',
        causationid: 'bus-1',
        hops: 5,
        trail: 'a.b/1 c.d/2 essay.arrived/e-1 s3.object-created/bus-1',
        traceparent: '00-1-2-03',
      },
    ]);
  });

  test('a circle through a store is parked with its trail', async () => {
    aws.s3.on(HeadObjectCommand).resolves({ Metadata: chainMetadata({ ...cause, hops: 14 }) });
    await scanUpload();
    expect(aws.letters).toEqual([]);
    aws.s3.on(HeadObjectCommand).resolves({ Metadata: chainMetadata({ ...cause, hops: 15 }) });
    await consume(scan, tell)(
      sqsEvent(sqsRecord({ ...objectCreatedEvent('b', 'essays-bucket'), id: 'bus-2' })),
      lambdaContext(),
    );
    const { code, message } = JSON.parse(aws.letters[0]?.attributes[LETTER.error] ?? '');
    expect(code).toBe('HR309');
    expect(message).toContain('a chain of 16 others, which began with e-0: a.b/1 c.d/2 essay.arrived/e-1.');
  });

  test.each([
    ['that no module wrote', undefined],
    ['whose chain is no text of a chain', 'hello'],
    ['whose chain cannot be decoded', '%E0%A4%A'],
  ])('an object %s begins a chain', async (_, text) => {
    if (text === undefined) aws.s3.on(HeadObjectCommand).resolves({});
    else metadata(text);
    await scanUpload();
    expect(aws.published).toMatchObject([{ correlationid: 'bus-1', causationid: 'bus-1', hops: 1 }]);
  });

  test('an object that is gone begins a chain', async () => {
    aws.s3.on(HeadObjectCommand).rejects(Object.assign(new Error('NotFound'), { $metadata: { httpStatusCode: 404 } }));
    await scanUpload();
    expect(aws.published).toMatchObject([{ hops: 1 }]);
  });

  test('an object that cannot be looked at is handled later, not parked and not begun anew', async () => {
    aws.s3.on(HeadObjectCommand).rejects(Object.assign(new Error('SlowDown'), { $metadata: { httpStatusCode: 503 } }));
    await expect(scanUpload()).rejects.toThrow('SlowDown');
    expect(aws.letters).toEqual([]);
    expect(aws.published).toEqual([]);
    expect(aws.delays).toHaveLength(1);
  });

  test('a module that may not read the store begins a chain, and does not ask', async () => {
    const blind = { ...scan, stores: {} } as typeof scan;
    await scanUpload(blind);
    expect(aws.s3.commandCalls(HeadObjectCommand)).toEqual([]);
    expect(aws.published).toMatchObject([{ correlationid: 'bus-1', hops: 1 }]);
  });

  test('an event of the bus has its chain in its envelope, and nobody asks the store', async () => {
    const event = busEvent(essayArrived.create(essayArrived.example), { id: 'e-2', cause });
    await consume(gradeEssay, async () => [essayGraded.create(essayGraded.example)])(
      sqsEvent(sqsRecord(event)),
      lambdaContext(),
    );
    expect(aws.s3.calls()).toEqual([]);
    expect(aws.published).toMatchObject([{ hops: 5, correlationid: 'e-0', causationid: 'e-2' }]);
  });
});
