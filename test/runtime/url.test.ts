import '../support/quiet';
import { HeadraceError, NonRetriable } from '../../lib/contract';
import { consume, type UrlLogic } from '../../lib/runtime';
import type { UrlRequest } from '../../lib/runtime/url';
import { lambdaContext } from '../support/aws';
import { Deployment } from '../support/deployment';
import { gradeEssay } from '../support/essays';

let aws: Deployment;
beforeEach(() => {
  aws = new Deployment();
});
afterEach(() => aws.end());

const request = (overrides: Partial<UrlRequest> = {}) =>
  ({ version: '2.0', rawPath: '/', requestContext: {}, isBase64Encoded: false, ...overrides }) as UrlRequest;
const ask = (url: UrlLogic<(typeof gradeEssay)['stores']> | undefined, overrides: Partial<UrlRequest> = {}) =>
  consume(gradeEssay, async () => [], url)(request(overrides), lambdaContext());

test('answers with JSON what the logic says of the body and the query', async () => {
  const answer = await ask(async (body, { query }) => ({ heard: Buffer.from(body).toString(), of: query.essay }), {
    body: 'héllo',
    queryStringParameters: { essay: 'e-1' },
  });
  expect(answer).toEqual({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"heard":"héllo","of":"e-1"}',
  });
});

test('decodes a binary body', async () => {
  const body = Buffer.from([0, 255, 128]).toString('base64');
  expect(await ask(async (bytes) => [...bytes], { body, isBase64Encoded: true })).toMatchObject({
    body: '[0,255,128]',
  });
});

test('a request without a body has an empty one', async () => {
  expect(await ask(async (bytes) => bytes.length)).toMatchObject({ statusCode: 200, body: '0' });
});

test('the logic has the stores of the module', async () => {
  const answer = await ask(async (_, { stores }) => stores.essays.uri('a'));
  expect(answer).toMatchObject({ body: '"s3://essays-bucket/a"' });
});

test('answers 400 for input that no retry can mend', async () => {
  const answer = await ask(async () => {
    throw new NonRetriable('no essay');
  });
  expect(answer).toMatchObject({ statusCode: 400, body: '{"error":"no essay"}' });
});

test('answers 500 with the code of a refusal of Headrace', async () => {
  const answer = await ask(async () => {
    throw new HeadraceError('HR306', { what: 'Gone.', next: 'Look.' });
  });
  expect(answer).toMatchObject({ statusCode: 500, body: '{"error":"[HR306] Gone. Look.","code":"HR306"}' });
});

test('answers 404 when the module has no URL', async () => {
  expect(await ask(undefined)).toMatchObject({ statusCode: 404, body: '{"error":"grade-essay has no URL"}' });
});

test('fails when the logic fails otherwise: the function URL answers for it', async () => {
  await expect(
    ask(async () => {
      throw new Error('no ink');
    }),
  ).rejects.toThrow('no ink');
});
