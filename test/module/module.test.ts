import { DEFAULT_RETRY, defineModule, defineStep, on } from '../../lib/module';
import { essayArrived, essayGraded } from '../support/essays';
import { refusal } from '../support/refusal';

const smallest = { name: 'grade-essay', summary: 'Grades an essay', on: [essayArrived], emits: [essayGraded] } as const;

test('a module that says the least gets the defaults', () => {
  expect(defineModule(smallest)).toEqual({
    kind: 'module',
    name: 'grade-essay',
    summary: 'Grades an essay',
    on: [{ listenable: essayArrived }],
    emits: [essayGraded],
    stores: {},
    retry: { attempts: 5, firstDelaySeconds: 2, factor: 2, maxDelaySeconds: 300 },
    batchSize: 10,
    concurrency: 5,
    timeoutSeconds: 60,
    memoryMb: 512,
    url: false,
    ordered: false,
  });
});

test('a step that says the least gets the defaults', () => {
  expect(defineStep({ name: 'grade-essay', summary: 'Grades an essay', emits: [] })).toEqual({
    kind: 'step',
    name: 'grade-essay',
    summary: 'Grades an essay',
    emits: [],
    stores: {},
    retry: DEFAULT_RETRY,
    timeoutSeconds: 300,
    memoryMb: 1024,
  });
});

test('part of a retry leaves the rest at its default', () => {
  expect(defineModule({ ...smallest, retry: { ...DEFAULT_RETRY, attempts: 2 } }).retry).toEqual({
    ...DEFAULT_RETRY,
    attempts: 2,
  });
});

test('a filter stays with what it filters', () => {
  const where = { grade: [{ numeric: ['>=', 0.5] }] };
  const module = defineModule({ ...smallest, on: [on(essayGraded, where), essayArrived, on(essayArrived)] });
  expect(module.on).toEqual([
    { listenable: essayGraded, where },
    { listenable: essayArrived },
    { listenable: essayArrived },
  ]);
});

const retry = (more: object) => ({ retry: { ...DEFAULT_RETRY, ...more } });

const outOfRange = [
  ['timeoutSeconds', { timeoutSeconds: 0 }, 'timeoutSeconds must be a whole number from 1 to 900, got 0'],
  ['timeoutSeconds', { timeoutSeconds: 901 }, 'timeoutSeconds must be a whole number from 1 to 900, got 901'],
  ['memoryMb', { memoryMb: 127 }, 'memoryMb must be a whole number from 128 to 10240, got 127'],
  ['memoryMb', { memoryMb: 10_241 }, 'memoryMb must be a whole number from 128 to 10240, got 10241'],
  ['retry.attempts', retry({ attempts: 0 }), 'retry.attempts must be a whole number from 1 to 100, got 0'],
  ['retry.attempts', retry({ attempts: 101 }), 'retry.attempts must be a whole number from 1 to 100, got 101'],
  [
    'retry.firstDelaySeconds',
    retry({ firstDelaySeconds: 0 }),
    'retry.firstDelaySeconds must be a whole number from 1 to 3600, got 0',
  ],
  ['retry.factor', retry({ factor: 0.5 }), 'retry.factor must be from 1 to 10, got 0.5'],
  [
    'retry.maxDelaySeconds',
    retry({ maxDelaySeconds: 3601 }),
    'retry.maxDelaySeconds must be a whole number from 1 to 3600, got 3601',
  ],
  ['timeoutSeconds', { timeoutSeconds: 1.5 }, 'timeoutSeconds must be a whole number from 1 to 900, got 1.5'],
  ['retry.attempts', retry({ attempts: 2.5 }), 'retry.attempts must be a whole number from 1 to 100, got 2.5'],
  ['memoryMb', { memoryMb: Number.NaN }, 'memoryMb must be a whole number from 128 to 10240, got NaN'],
] as const;

describe.each(outOfRange)('%s out of range', (_, settings, told) => {
  test(`fails when ${told.split(', ')[1]}, in a module and in a step`, () => {
    const module = refusal(() => defineModule({ ...smallest, ...settings }));
    expect(module.code).toBe('HR201');
    expect(module.message).toBe(`[HR201] Module grade-essay is declared wrongly: ${told}. Correct its module.ts.`);
    expect(refusal(() => defineStep({ ...smallest, ...settings })).message).toContain(told);
  });
});

test.each<[string, object]>([
  ['batchSize', { batchSize: 0 }],
  ['batchSize', { batchSize: 11 }],
  ['batchSize', { batchSize: 2.5 }],
  ['concurrency', { concurrency: 1 }],
  ['concurrency', { concurrency: 1001 }],
  ['on', { on: [] }],
])('fails when %s is %p', (name, settings) => {
  const error = refusal(() => defineModule({ ...smallest, ...settings }));
  expect(error.code).toBe('HR201');
  expect(error.message).toContain(`wrongly: ${name} must`);
});

test.each(['grade', 'GradeEssay', 'grade_essay', '-grade-essay', 'grade-', `grade-${'e'.repeat(35)}`])(
  "fails when the name is '%s'",
  (name) => {
    expect(refusal(() => defineModule({ ...smallest, name })).message).toContain(`got '${name}'`);
    expect(refusal(() => defineStep({ ...smallest, name })).message).toContain(`got '${name}'`);
  },
);

test('fails once with everything that is wrong', () => {
  const { message } = refusal(() => defineModule({ ...smallest, name: 'x', batchSize: 0, memoryMb: 1, on: [] }));
  for (const part of ['name must', 'memoryMb must', 'batchSize must', 'on must']) expect(message).toContain(part);
});

test.each([
  [{ timeoutSeconds: 900, memoryMb: 10_240, batchSize: 1, concurrency: 1000 }],
  [{ timeoutSeconds: 1, memoryMb: 128, batchSize: 10, concurrency: 2 }],
  [retry({ attempts: 100, firstDelaySeconds: 3600, factor: 10, maxDelaySeconds: 3600 })],
])('the limits themselves are allowed: %p', (settings) => {
  expect(() => defineModule({ ...smallest, ...settings })).not.toThrow();
});

describe('a declaration with a slip', () => {
  const refused = (options: object) => refusal(() => defineModule({ ...smallest, ...options })).message;

  test('fails when a setting is misspelt', () => {
    expect(refused({ timeout: 5 })).toMatch(/timeout is no setting; there are .*timeoutSeconds/);
  });

  test('fails when the summary is missing', () => {
    expect(refused({ summary: undefined })).toMatch(/summary must say in a sentence what it does/);
  });

  test('fails when a store is to be used in a way there is none', () => {
    expect(refused({ stores: { essays: 'readwrite' } })).toMatch(
      /stores.essays must be 'read' or 'write'.*'readwrite'/,
    );
  });

  test('fails when a filter names a field the contract does not have', () => {
    const error = refusal(() => on(essayGraded, { grad: ['A'] } as object));
    expect(error.code).toBe('HR201');
    expect(error.message).toMatch(/essay.graded does not have. Got 'grad'. Allowed: .*grade/);
  });

  test('finds a wrong field inside $or', () => {
    expect(() => on(essayGraded, { $or: [{ grade: [1] }, { grad: [2] }] } as object)).toThrow(/'grad'/);
    expect(() => on(essayGraded, { $or: [{ grade: [1] }] } as object)).not.toThrow();
  });
});
