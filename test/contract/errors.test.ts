import { HeadraceError, NonRetriable } from '../../lib/contract';

test('a message says what, got, allowed, next, behind its code', () => {
  const error = new HeadraceError('HR101', { what: 'It broke.', got: { a: 1 }, allowed: 'b', next: 'Mend it.' });
  expect(error.message).toBe('[HR101] It broke. Got {"a":1}. Allowed: b. Mend it.');
  expect(error).toMatchObject({ name: 'HeadraceError', code: 'HR101', details: { next: 'Mend it.' } });
});

test('what is not known is left out of the message', () => {
  expect(new HeadraceError('HR102', { what: 'It broke.', next: 'Mend it.' }).message).toBe(
    '[HR102] It broke. Mend it.',
  );
});

test('a long value is cut to 200 characters', () => {
  const { message } = new HeadraceError('HR102', { what: 'W.', got: 'x'.repeat(5000), next: 'N.' });
  expect(message).toMatch(/^\[HR102\] W\. Got 'x{196}\.\.\.\. N\.$/);
});

test('errors keep their cause', () => {
  const cause = new Error('below');
  expect(new HeadraceError('HR102', { what: 'W.', next: 'N.', cause }).cause).toBe(cause);
  expect(new NonRetriable('never', { cause })).toMatchObject({ reason: 'never', message: 'never', cause });
});
