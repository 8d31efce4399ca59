import { HeadraceError } from '../../lib/contract';
import { describeError } from '../../lib/runtime/dead-letter';

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
