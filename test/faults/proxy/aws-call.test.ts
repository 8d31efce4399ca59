import { readCall } from './aws-call';

const scope = (service: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host`,
});

const request = (more: object) => ({ method: 'POST', path: '/', headers: {}, body: Buffer.from('{}'), ...more });

test.each([
  ['DynamoDB_20120810.UpdateItem', 'dynamodb', 'UpdateItem'],
  ['AmazonSQS.SendMessage', 'sqs', 'SendMessage'],
  ['AWSEvents.PutEvents', 'events', 'PutEvents'],
  ['AWSStepFunctions.StartExecution', 'states', 'StartExecution'],
])('%s is a call of %s', (target, service, operation) => {
  expect(readCall(request({ headers: { 'x-amz-target': target } }))).toMatchObject({ service, operation });
});

test('a JSON service nobody listed is told by its credential scope', () => {
  const headers = { 'x-amz-target': 'Firehose_20150804.PutRecord', ...scope('firehose') };
  expect(readCall(request({ headers }))).toMatchObject({ service: 'firehose', operation: 'PutRecord' });
});

test('a query service is told by its action', () => {
  const body = Buffer.from('Action=Publish&Version=2010-03-31');
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...scope('sns') };
  expect(readCall(request({ headers, body }))).toMatchObject({ service: 'sns', operation: 'Publish' });
});

test('an S3 call is told by its method, whatever the object says', () => {
  const body = Buffer.from('Action=DeleteEverything');
  const call = readCall(request({ method: 'PUT', path: '/bucket/key', headers: scope('s3'), body }));
  expect(call).toMatchObject({ service: 's3', operation: 'PUT', body: 'Action=DeleteEverything' });
});

test('a request that is no AWS call has no service', () => {
  expect(readCall(request({ method: 'GET' }))).toMatchObject({ service: '', operation: 'GET' });
});
