import '../support/quiet';
import { consume, type Logic } from '../../lib/runtime';
import { lambdaContext, sqsEvent } from '../support/aws';
import { Deployment } from '../support/deployment';
import { arrived, gradeEssay } from '../support/essays';
import { lateRefusal } from '../support/refusal';

let aws: Deployment;
beforeEach(() => {
  aws = new Deployment();
});
afterEach(() => aws.end());

const receive = (logic: Logic<typeof gradeEssay>, record = arrived('e-1')) =>
  consume(gradeEssay, logic)(sqsEvent(record), lambdaContext());

describe('the context of the logic', () => {
  test('opens the declared stores by their buckets', async () => {
    await receive(async (_, { stores }) => {
      await stores.essays.put('a', 'b');
      expect(stores.essays.uri('a')).toBe('s3://essays-bucket/a');
      return [];
    }, arrived('e-1'));
    expect(aws.letters).toEqual([]);
    expect([...aws.bucket.objects.keys()]).toEqual(['a']);
  });

  test('says how much time is left, and signals two seconds before the end', async () => {
    const short = lambdaContext({ getRemainingTimeInMillis: () => 2_030 });
    let signalled = false;
    const logic: Logic<typeof gradeEssay> = async (_, { signal, remainingMs }) => {
      expect(remainingMs()).toBe(2_030);
      expect(signal.aborted).toBe(false);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signalled = true;
      return [];
    };
    await consume(gradeEssay, logic)(sqsEvent(arrived('e-1')), short);
    expect(signalled).toBe(true);
  });

  test('refuses to open a store whose bucket the environment does not name', async () => {
    delete process.env.HEADRACE_STORE_ESSAYS;
    const refused: Promise<unknown>[] = [];
    const logic: Logic<typeof gradeEssay> = async (_, { stores }) => {
      refused.push(lateRefusal(Promise.resolve().then(() => stores.essays.get('a'))));
      return [];
    };
    await receive(logic, arrived('e-1'));
    expect(await refused[0]).toMatchObject({
      code: 'HR301',
      message: expect.stringContaining('HEADRACE_STORE_ESSAYS'),
    });
  });

  test('runs a named effect once, however many attempts it takes', async () => {
    const effect = jest.fn(async (token: string) => ({ token }));
    const results: unknown[] = [];
    const logic: Logic<typeof gradeEssay> = async (_, context) => {
      results.push(await context.once('pay', effect), await context.once('pay', effect));
      return context.attempt === 1 ? Promise.reject(new Error('no ink')) : [];
    };
    await receive(logic, arrived('e-1'));
    await receive(logic, arrived('e-1'));
    expect(effect).toHaveBeenCalledTimes(1);
    expect(results).toEqual(Array(4).fill({ token: 'grade-essay#e-1#pay' }));
  });

  test('runs named effects side by side, each once, and loses none of their results', async () => {
    const effect = jest.fn(async (token: string) => token);
    const names = ['pay', 'tell', 'pay', 'constructor', '__proto__'];
    const results: unknown[] = [];
    const logic: Logic<typeof gradeEssay> = async (_, { once, attempt }) => {
      results.push(await Promise.all(names.map((name) => once(name, effect))));
      return attempt === 1 ? Promise.reject(new Error('no ink')) : [];
    };
    await receive(logic, arrived('e-1'));
    await receive(logic, arrived('e-1'));
    expect(effect).toHaveBeenCalledTimes(4);
    expect(results).toEqual(Array(2).fill(names.map((name) => `grade-essay#e-1#${name}`)));
  });

  test('runs an effect again that failed', async () => {
    const results: unknown[] = [];
    const logic: Logic<typeof gradeEssay> = async (_, { once }) => {
      await once('pay', () => Promise.reject(new Error('no coin'))).catch((error: Error) =>
        results.push(error.message),
      );
      results.push(await once('pay', async () => 'paid'));
      return [];
    };
    await receive(logic, arrived('e-1'));
    expect(results).toEqual(['no coin', 'paid']);
  });
});
