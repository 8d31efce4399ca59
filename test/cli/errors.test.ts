import { explainAwsError } from '../../lib/cli/aws-errors';
import { approveBy } from '../../lib/cli/deploy';
import { deploymentFailed } from '../../lib/cli/deploy/deploy-error';
import { nodeVersion } from '../../lib/cli/doctor/checks';
import { Output } from '../../lib/cli/output';
import { HeadraceError } from '../../lib/contract';
import { testHost } from './test-host';

const failure = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

test.each([
  [failure('CredentialsProviderError', 'Could not load credentials from any providers'), /no AWS credentials/, 'HR508'],
  [failure('ExpiredToken', 'The security token is expired'), /does not accept the credentials/, 'HR508'],
  [failure('AccessDeniedException', 'not authorized to perform: sqs:ReceiveMessage'), /sqs:ReceiveMessage/, 'HR509'],
  [failure('Error', 'Region is missing'), /No AWS region/, 'HR508'],
  [failure('ValidationError', 'Stack with id x does not exist'), /not deployed/, 'HR502'],
  [failure('Error', 'connect', { code: 'ECONNREFUSED' }), /can't be reached \(ECONNREFUSED\)/, 'HR510'],
  [new Error('outer', { cause: failure('ExpiredToken', 'inner') }), /does not accept the credentials/, 'HR508'],
])('%s is told with its own code and what to do next', (error, what, code) => {
  const told = explainAwsError(error);
  expect(told?.code).toBe(code);
  expect(told?.details.what).toMatch(what);
  expect(told?.details.next).not.toBe('');
});

test('any other error stays what it is', () => {
  expect(explainAwsError(new TypeError('x is not a function'))).toBeUndefined();
});

const context = { target: { name: 'local' }, stack: 'digits', messages: [] };

test('a deployment that failed tells the reason of the resource that failed', () => {
  const told = deploymentFailed(new Error('Stack is in ROLLBACK_COMPLETE'), {
    ...context,
    messages: ['Alarm: metric math is not supported', 'Alarm: metric math is not supported'],
  });
  expect(told.code).toBe('HR503');
  expect(told.details.what).toBe('Deploying digits to local failed: Alarm: metric math is not supported');
  expect(told.details.next).toContain('rolled back');
});

test('a deployment that failed for a known reason keeps its code', () => {
  const known = new HeadraceError('HR602', { what: 'Bundling failed.', next: 'Correct it.' });
  expect(deploymentFailed(known, context)).toBe(known);
  expect(deploymentFailed(failure('ExpiredToken', 'expired'), context).code).toBe('HR508');
});

test.each([
  ['18.20.0', 'fail'],
  ['20.18.1', 'fail'],
  ['20.19.0', 'warn'],
  ['22.0.0', 'ok'],
])('Node %s is %s', (version, result) => {
  expect(nodeVersion(version).result).toBe(result);
});

test('on AWS the differences are shown and asked about; nobody to ask is a refusal; elsewhere nothing is asked', async () => {
  const host = testHost();
  const approval = { out: new Output({ json: false, host }), confirm: async () => true, yes: false };
  expect(approveBy({ ...approval, target: { name: 'local' }, interactive: true })).toBeUndefined();
  const asked = approveBy({ ...approval, target: { name: 'aws' }, interactive: true });
  expect(await asked?.('+ AWS::SQS::Queue')).toBe(true);
  expect(host.err()).toContain('+ AWS::SQS::Queue');
  const alone = approveBy({ ...approval, target: { name: 'aws' }, interactive: false });
  await expect(alone?.('+ AWS::SQS::Queue')).rejects.toMatchObject({ code: 'HR501' });
});
