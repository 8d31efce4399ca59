import { insist } from '../../lib/runtime/transient';
import { ManualTime } from './support/manual-time';

const throttled = () => Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

/** Insists on a call that fails so often, while time passes. */
async function insisted(failures: number, error: () => Error = throttled) {
  const time = new ManualTime();
  let calls = 0;
  const answer = time.run(() =>
    insist(async () => {
      calls++;
      if (calls <= failures) throw error();
      return 'served';
    }),
  );
  const settled = Promise.allSettled([answer]);
  await time.pass(10_000);
  const [result] = await settled;
  return { calls, result };
}

test('a call that AWS could not serve for a moment is made again', async () => {
  expect(await insisted(3)).toMatchObject({ calls: 4, result: { value: 'served' } });
});

test('it is given up in the end, with the reason', async () => {
  expect(await insisted(9)).toMatchObject({ calls: 4, result: { reason: { message: 'slow down' } } });
});

test('a call that AWS refuses is made once', async () => {
  expect(await insisted(9, () => new Error('denied'))).toMatchObject({
    calls: 1,
    result: { reason: { message: 'denied' } },
  });
});
