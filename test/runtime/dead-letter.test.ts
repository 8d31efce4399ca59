import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { HeadraceError } from '../../lib/contract';
import { LETTER } from '../../lib/runtime';
import { describeError, park } from '../../lib/runtime/dead-letter';

test('an error is kept with its name, message, code and stack', () => {
  const error = new HeadraceError('HR102', { what: 'It broke.', next: 'Mend it.' });
  expect(describeError(error)).toEqual({
    name: 'HeadraceError',
    message: '[HR102] It broke. Mend it.',
    code: 'HR102',
    stack: expect.stringContaining('dead-letter.test'),
  });
});

test('what was thrown without being an error is kept as text', () => {
  expect(describeError('broken')).toEqual({ name: 'Error', message: 'broken' });
});

test('a long message and stack are cut, so that the letter fits a message', () => {
  const { message, stack } = describeError(new Error('x'.repeat(100_000)));
  expect([message.length, stack?.length]).toEqual([4000, 4000]);
});

describe('a parked message', () => {
  const LIMIT = 1024 * 1024;
  const sqs = mockClient(SQSClient);
  beforeEach(() => sqs.reset());
  afterAll(() => sqs.restore());

  /** What is sent for a body of so many bytes: its size as SQS counts it, and its attributes. */
  async function parked(
    bytes: number,
    error: Error = new HeadraceError('HR102', { what: 'é'.repeat(3000), next: '' }),
  ) {
    const about = {
      reason: 'poison',
      attempts: 1,
      firstReceived: 0,
      codeVersion: 'v7',
      module: 'grade-essay',
    } as const;
    await park(new SQSClient({}), { queueUrl: 'dead', body: 'x'.repeat(bytes), error, ...about });
    const { MessageBody = '', MessageAttributes = {} } = sqs.commandCalls(SendMessageCommand)[0]!.args[0].input;
    const notes = Object.entries(MessageAttributes).map(
      ([name, { DataType, StringValue }]) => name + DataType + StringValue,
    );
    const size = Buffer.byteLength(MessageBody + notes.join(''));
    const values = Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, each]) => [name, each.StringValue]),
    );
    return { size, values, told: JSON.parse(values[LETTER.error] ?? 'null') };
  }

  test.each([
    ['its stack', 12_000, { code: 'HR102', message: expect.stringContaining('é'.repeat(3000)) }],
    ['the end of its message', 2_000, { code: 'HR102', message: expect.stringMatching(/^\[HR102\] é+$/) }],
    ['all but its code', 600, { code: 'HR102', message: '' }],
  ])('loses of its error %s where the body leaves little room', async (_, room, error) => {
    const { size, values, told } = await parked(LIMIT - room);
    expect(size).toBeLessThanOrEqual(LIMIT);
    expect(told).toEqual({ name: 'HeadraceError', ...error });
    expect(Object.keys(values)).toHaveLength(7);
  });

  test('keeps its reason to the last, and goes without any note when it has the greatest size', async () => {
    expect((await parked(LIMIT - 40)).values).toEqual({ [LETTER.reason]: 'poison' });
    sqs.reset();
    expect((await parked(LIMIT)).values).toEqual({});
  });

  test('has no character in its error that SQS refuses', async () => {
    const { values, told } = await parked(10, new Error('a\ufffe\uffffz'));
    expect(values[LETTER.error]).not.toMatch(/[\ufffe\uffff]/);
    expect(told.message).toBe('a\ufffe\uffffz');
  });
});
