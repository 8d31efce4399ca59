import * as z from 'zod';
import {
  defineAwsEvent,
  defineEvent,
  defineFamily,
  deterministicId,
  envelopeSchema,
  MAX_EVENT_BYTES,
  objectCreated,
  openEvent,
  toEnvelope,
} from '../../lib/contract';
import { busEvent, objectCreatedEvent } from '../support/aws';
import { NOW } from '../support/clock';
import { refusal } from '../support/refusal';

const declared = {
  type: 'essay.graded',
  version: 2,
  summary: 'An essay has its grade',
  subject: 'essay',
  schema: z.object({ essay: z.string(), grade: z.number().min(0), note: z.string().optional() }),
  example: { essay: 'e-1', grade: 1 },
} as const;
const graded = defineEvent(declared);
const draft = graded.create(graded.example);
const dated = defineFamily({ name: 'dated', summary: 'Has a date', schema: z.object({ date: z.string() }) });

describe('an envelope', () => {
  test('of a first event starts a chain of its own', () => {
    expect(toEnvelope(draft, { id: 'a', time: NOW })).toEqual({
      specversion: '1.0',
      id: 'a',
      source: 'headrace.essay',
      type: 'essay.graded',
      time: '2026-01-02T03:04:05.000Z',
      subject: 'e-1',
      dataschema: 'urn:headrace:essay.graded:2',
      datacontenttype: 'application/json',
      correlationid: 'a',
      hops: 0,
      data: { essay: 'e-1', grade: 1 },
    });
  });

  test('of a caused event carries the chain on', () => {
    const cause = { id: 'b', correlationId: 'a', type: 'essay.arrived', hops: 3, traceparent: '00-1-2-01' };
    expect(toEnvelope(draft, { id: 'c', time: NOW, cause })).toMatchObject({
      correlationid: 'a',
      causationid: 'b',
      hops: 4,
      traceparent: '00-1-2-01',
    });
  });

  test('passes its own schema', () => {
    const cause = { id: 'b', correlationId: 'a', type: 'essay.arrived', hops: 0 };
    const envelope = toEnvelope(draft, { id: 'c', time: NOW, cause });
    expect(envelopeSchema.parse(envelope)).toEqual(envelope);
  });

  test('may be exactly as large as the limit', () => {
    expect(() => toEnvelope(noted('x'.repeat(room())), { id: 'a', time: NOW })).not.toThrow();
  });

  test('refuses one byte more than the limit, counted in UTF-8', () => {
    const error = refusal(() => toEnvelope(noted(`${'x'.repeat(room() - 1)}é`), { id: 'a', time: NOW }));
    expect(error.code).toBe('HR104');
    expect(error.message).toContain(`Got '${MAX_EVENT_BYTES + 1} bytes'`);
  });

  const noted = (note: string) => graded.create({ essay: 'e-1', grade: 1, note });
  const room = () => MAX_EVENT_BYTES - Buffer.byteLength(JSON.stringify(toEnvelope(noted(''), { id: 'a', time: NOW })));
});

describe('the id of an emitted event', () => {
  test('is the same for the same consumer, cause and index', () => {
    expect(deterministicId('grade-essay', 'a', 0)).toBe(deterministicId('grade-essay', 'a', 0));
    expect(deterministicId('grade-essay', 'a', 0)).toMatch(/^[0-9a-f]{32}$/);
  });

  test('differs in each of the three', () => {
    const ids = [
      deterministicId('grade-essay', 'a', 0),
      deterministicId('mark-essay', 'a', 0),
      deterministicId('grade-essay', 'b', 0),
      deterministicId('grade-essay', 'a', 1),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('opening an event from the bus', () => {
  test('gives the envelope with its data checked', () => {
    const cause = { id: 'b', correlationId: 'a', type: 'essay.arrived', hops: 0, traceparent: '00-1-2-01' };
    expect(openEvent(busEvent(draft, { id: 'c', cause }), [graded])).toEqual({
      id: 'c',
      type: 'essay.graded',
      source: 'headrace.essay',
      time: '2026-01-02T03:04:05.000Z',
      subject: 'e-1',
      version: 2,
      correlationId: 'a',
      causationId: 'b',
      hops: 1,
      traceparent: '00-1-2-01',
      trail: 'essay.arrived/b',
      data: { essay: 'e-1', grade: 1 },
    });
  });

  test('tolerates a field that the contract does not know', () => {
    const event = busEvent(draft);
    event.detail.data = { essay: 'e-1', grade: 1, colour: 'red' };
    expect(openEvent(event, [graded]).data).toEqual({ essay: 'e-1', grade: 1 });
  });

  test('refuses data that breaks the contract', () => {
    const event = busEvent(draft);
    event.detail.data = { essay: 'e-1', grade: -1 };
    const error = refusal(() => openEvent(event, [graded]));
    expect(error.code).toBe('HR102');
    expect(error.message).toContain('grade = -1');
  });

  test('takes the version the event names, when the module listens to two', () => {
    const older = defineEvent({
      ...declared,
      version: 1,
      schema: z.object({ essay: z.string(), mark: z.string() }),
      example: { essay: 'e-1', mark: 'A' },
    });
    expect(openEvent(busEvent(older.create(older.example)), [graded, older])).toMatchObject({
      version: 1,
      data: { mark: 'A' },
    });
  });

  test('refuses a version that the module does not know', () => {
    const newer = defineEvent({ ...declared, version: 3 });
    const error = refusal(() => openEvent(busEvent(newer.create(newer.example)), [graded]));
    expect(error.code).toBe('HR106');
    expect(error.message).toContain('Got 3. Allowed: 2.');
  });

  test('refuses a type that the module does not listen to', () => {
    const other = defineEvent({ ...declared, type: 'essay.lost' });
    const error = refusal(() => openEvent(busEvent(other.create(other.example)), [graded, objectCreated('drafts')]));
    expect(error.code).toBe('HR105');
    expect(error.message).toContain("Got 'essay.lost'. Allowed: essay.graded, s3.object-created.");
  });

  test.each([
    ['a word', 'hello'],
    ['nothing', null],
    ['an object that EventBridge never sent', { detail: {} }],
    ['a bus event whose detail is no envelope', { ...busEvent(draft), detail: { essay: 'e-1' } }],
    ['an envelope whose id is too long for a key', withDetail({ id: 'x'.repeat(513) })],
    ['an envelope whose schema is that of another type', withDetail({ dataschema: 'urn:headrace:other.thing:2' })],
    [
      'an envelope whose version is no number as we write it',
      withDetail({ dataschema: 'urn:headrace:essay.graded:02' }),
    ],
    ['an envelope of another specversion', withDetail({ specversion: '0.3' })],
    ['an envelope with a time that is none', withDetail({ time: 'yesterday' })],
    ['an envelope with a foreign dataschema', withDetail({ dataschema: 'https://example.org/schema' })],
  ])('refuses %s', (_, body) => {
    expect(refusal(() => openEvent(body, [graded])).code).toBe('HR103');
  });

  test('says what of the envelope is broken, without its values', () => {
    const error = refusal(() => openEvent(withDetail({ hops: -1, id: '' }), [graded]));
    expect(error.message).toMatch(/^\[HR103\] The message is not a CloudEvents 1\.0 envelope: id: .*; hops: /);
  });

  function withDetail(overrides: object) {
    const event = busEvent(draft);
    return { ...event, detail: { ...event.detail, ...overrides } };
  }
});

describe('listening to a family', () => {
  const member = defineEvent({
    type: 'letter.sent',
    version: 7,
    summary: 'A letter is on its way',
    subject: 'letter',
    families: [dated],
    schema: z.object({ letter: z.string(), date: z.string() }),
    example: { letter: 'l-1', date: '2026-01-02' },
  });

  test('receives a member nobody foresaw, with the fields of the family', () => {
    const event = openEvent(busEvent(member.create(member.example)), [dated]);
    expect(event).toMatchObject({ type: 'letter.sent', version: 7, subject: 'l-1', data: { date: '2026-01-02' } });
    expect(event.data).not.toHaveProperty('letter');
  });

  test('refuses a member whose data lost the shape of the family, under the type of the event', () => {
    const event = busEvent(member.create(member.example));
    event.detail.data = { letter: 'l-1' };
    const error = refusal(() => openEvent(event, [dated]));
    expect(error.code).toBe('HR102');
    expect(error.message).toContain('letter.sent');
  });

  test('a contract that is named too is read by the contract', () => {
    const event = openEvent(busEvent(member.create(member.example)), [dated, member]);
    expect(event.data).toEqual(member.example);
  });

  test('with two families, an event is read by the one it fits', () => {
    const priced = defineFamily({ name: 'priced', summary: 'Has a price', schema: z.object({ price: z.number() }) });
    const event = openEvent(busEvent(member.create(member.example)), [priced, dated]);
    expect(event.data).toEqual({ date: '2026-01-02' });
  });
});

describe('an event of an AWS service', () => {
  test('is the detail itself, and starts a chain', () => {
    expect(openEvent(objectCreatedEvent('inbox/a.png'), [objectCreated('datasets')])).toEqual({
      id: 'bus-1',
      type: 's3.object-created',
      source: 'aws.s3',
      time: '2026-01-02T03:04:05.000Z',
      subject: 'inbox/a.png',
      version: 1,
      correlationId: 'bus-1',
      hops: 0,
      sequence: { scope: 'datasets/inbox/a.png', value: `0A${'0'.repeat(30)}` },
      data: {
        bucket: { name: 'datasets' },
        object: { key: 'inbox/a.png', size: 12, etag: 'e1', sequencer: '0A' },
      },
    });
  });

  test('refuses a detail of another shape', () => {
    const event = { ...objectCreatedEvent('a'), detail: { object: { key: 'a' } } };
    expect(refusal(() => openEvent(event, [objectCreated('datasets')])).code).toBe('HR102');
  });

  test('is told from another of the same service by its detail-type', () => {
    const deleted = defineAwsEvent({
      type: 's3.object-deleted',
      source: 'aws.s3',
      detailType: 'Object Deleted',
      summary: 'An object is gone',
      schema: z.object({}),
      subject: () => 'x',
    });
    expect(openEvent(objectCreatedEvent('a'), [deleted, objectCreated('datasets')]).type).toBe('s3.object-created');
  });
});
