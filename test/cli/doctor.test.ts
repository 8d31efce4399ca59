import { main } from '../../lib/cli';
import { doctorLines } from '../../lib/cli/doctor';
import { Output } from '../../lib/cli/output';
import { GAPS } from '../../lib/target';
import { testHost } from './test-host';

const before = { ...process.env };

/** The SDK asks the process: no keys, no files, no metadata service. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  const nowhere = '/nonexistent/aws';
  Object.assign(process.env, {
    AWS_CONFIG_FILE: nowhere,
    AWS_SHARED_CREDENTIALS_FILE: nowhere,
    AWS_EC2_METADATA_DISABLED: 'true',
  });
});

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

test.each([
  ['no region', {}, /HR508 No AWS region is set/, /AWS_REGION/],
  ['no credentials', { AWS_REGION: 'eu-central-1' }, /HR508 There are no AWS credentials/, /aws sso login/],
])('on aws with %s the target is not ok, and it says what to do', async (_, env, found, next) => {
  Object.assign(process.env, env);
  const host = testHost({ env });
  expect(await main(['doctor', '--target', 'aws', '--json'], host)).toBe(1);
  const { checks } = JSON.parse(host.out());
  expect(checks.find(({ name }: { name: string }) => name === 'target')).toEqual({
    name: 'target',
    result: 'fail',
    found: expect.stringMatching(found),
    next: expect.stringMatching(next),
  });
});

test('an endpoint where nothing is fails, and what only the local target needs is not looked at', async () => {
  const host = testHost({ env: { HEADRACE_ENDPOINT: 'http://127.0.0.1:1' } });
  expect(await main(['doctor'], host)).toBe(1);
  expect(host.out()).toMatch(/^fail {2}target .*HR407/m);
  expect(host.out()).not.toContain('python');
});

test('what the target does otherwise than AWS is counted, and listed only under --gaps', () => {
  const out = new Output({ json: false, host: testHost() });
  const diagnosis = { checks: [], versions: {}, stores: [{ name: 'models', bucket: 'digits-models' }], gaps: GAPS };
  const short = doctorLines(diagnosis, out, false);
  expect(short.at(-1)).toBe(`This target does ${GAPS.length} things otherwise than AWS: see --gaps`);
  expect(short).toContain('models  digits-models');
  expect(short.length).toBeLessThan(10);
  const long = doctorLines(diagnosis, out, true).join('\n');
  for (const { feature } of GAPS) expect(long).toContain(feature);
});
