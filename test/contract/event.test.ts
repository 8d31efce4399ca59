import * as z from 'zod';
import { checkData, defineEvent, defineFamily, jsonSchema, violations } from '../../lib/contract';
import { refusal } from '../support/refusal';

const essay = {
  type: 'essay.graded',
  version: 1,
  summary: 'An essay has its grade',
  subject: 'essay',
  schema: z.object({ essay: z.string(), grade: z.number().min(0).max(1), author: z.string().optional() }),
  example: { essay: 'e-1', grade: 0.5 },
} as const;

test('a contract derives its source and its dataschema from its type', () => {
  expect(defineEvent(essay)).toMatchObject({
    kind: 'event',
    source: 'headrace.essay',
    dataschema: 'urn:headrace:essay.graded:1',
    families: [],
    sensitive: [],
  });
});

test.each([
  'graded',
  'Essay.graded',
  'essay.',
  'essay..graded',
  'essay.graded.twice',
  'essay_x.graded',
  '1essay.graded',
])("fails when the type is '%s'", (type) => {
  const error = refusal(() => defineEvent({ ...essay, type }));
  expect(error.code).toBe('HR101');
  expect(error.message).toContain(`Got '${type}'`);
});

test.each([0, -1, 1.5, Number.NaN])('fails when the version is %s', (version) => {
  expect(refusal(() => defineEvent({ ...essay, version })).message).toMatch(/^\[HR101\] The version of essay\.graded/);
});

test('fails when the subject is no field of the data, and names the fields', () => {
  const error = refusal(() => defineEvent({ ...essay, subject: 'title' as 'essay' }));
  expect(error.message).toBe(
    "[HR101] The subject of essay.graded is not a field of its data. Got 'title'. Allowed: essay, grade, author. Name the field that identifies the entity.",
  );
});

test.each([
  ['breaks the schema', { essay: 'e-1', grade: 2 }, /grade = 2: /],
  ['has a field the schema does not know', { essay: 'e-1', grade: 1, colour: 'red' }, /"colour"/],
])('fails when the example %s', (_, example, told) => {
  const error = refusal(() => defineEvent({ ...essay, example }));
  expect(error.code).toBe('HR101');
  expect(error.message).toMatch(told);
});

test('fails when the example does not fit a family the contract joins', () => {
  const family = defineFamily({ name: 'dated', summary: 'Has a date', schema: z.object({ date: z.string() }) });
  const error = refusal(() => defineEvent({ ...essay, families: [family] }));
  expect(error.code).toBe('HR101');
  expect(error.message).toContain('date = missing');
});

test('fails when a family would show a field that the contract calls sensitive', () => {
  const authored = { name: 'authored', summary: 'Has an author', schema: z.object({ author: z.string().optional() }) };
  const join = (sensitive: string[]) =>
    defineEvent({ ...essay, sensitive: ['author'], families: [defineFamily({ ...authored, sensitive })] });
  const error = refusal(() => join([]));
  expect(error.code).toBe('HR101');
  expect(error.message).toContain('The family authored would show author, which essay.graded calls sensitive.');
  expect(() => join(['author'])).not.toThrow();
});

test('a draft carries its contract and the data as the schema reads it', () => {
  const graded = defineEvent({
    ...essay,
    schema: essay.schema.extend({ attempts: z.number().default(1) }),
  });
  const draft = graded.create({ essay: 'e-2', grade: 1 });
  expect(draft).toEqual({ contract: graded, type: 'essay.graded', data: { essay: 'e-2', grade: 1, attempts: 1 } });
});

test('refuses to create data with an unknown field', () => {
  const stray = { essay: 'e-2', grade: 1, colour: 'red' };
  expect(refusal(() => defineEvent(essay).create(stray)).code).toBe('HR102');
});

test('refuses to create bad data, naming path, value and rule of every violation', () => {
  const error = refusal(() => defineEvent(essay).create({ grade: 2 } as never));
  expect(error.code).toBe('HR102');
  expect(error.message).toMatch(/essay = missing: .*expected string.*; grade = 2: .*<=1/);
});

test('an unknown field in data from outside is tolerated and left out', () => {
  const data = { essay: 'e-1', grade: 0.5, colour: 'red' };
  expect(checkData(defineEvent(essay), data)).toEqual({ essay: 'e-1', grade: 0.5 });
});

test('violations name the path into nested data', () => {
  const nested = z.object({ shards: z.array(z.object({ uri: z.string() })) });
  const found = violations({ type: 't', schema: nested, sensitive: [] }, { shards: [{ uri: 'a' }, { uri: 7 }] });
  expect(found).toEqual([{ path: 'shards.1.uri', value: 7, rule: expect.stringContaining('expected string') }]);
});

test('data that fits has no violations', () => {
  expect(violations(defineEvent(essay), essay.example)).toEqual([]);
});

describe('a sensitive field', () => {
  const secretive = defineEvent({
    ...essay,
    schema: z.object({ essay: z.string(), author: z.object({ mail: z.email() }) }),
    example: { essay: 'e-1', author: { mail: 'a@example.org' } },
    sensitive: ['author'],
  });

  test('is withheld from violations and from the message, other fields are shown', () => {
    const data = { essay: 7, author: { mail: 'not-a-mail-but-private' } };
    expect(violations(secretive, data)).toEqual([
      { path: 'essay', value: 7, rule: expect.any(String) },
      { path: 'author.mail', value: '(withheld)', rule: expect.any(String) },
    ]);
    const error = refusal(() => checkData(secretive, data));
    expect(error.message).toContain('essay = 7');
    expect(error.message).not.toContain('private');
  });

  test('is withheld when the data as a whole is refused', () => {
    const stray = { essay: 'e-1', author: { mail: 'private@example.org' }, colour: 'red' };
    expect(refusal(() => secretive.create(stray)).message).not.toContain('private');
    expect(refusal(() => checkData(secretive, 'private')).message).not.toContain('private');
  });
});

test('the JSON schema describes what may be sent: defaulted fields are optional', () => {
  const schema = z.object({ essay: z.string(), attempts: z.number().default(1) });
  expect(jsonSchema({ schema })).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    required: ['essay'],
  });
});
