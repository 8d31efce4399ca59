import type { AwsCall } from './aws-call';

/** What a service answers instead of doing what it was asked. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Name and status of a throttle, by service. */
const THROTTLES: Readonly<Record<string, readonly [code: string, status: number]>> = {
  dynamodb: ['ProvisionedThroughputExceededException', 400],
  s3: ['SlowDown', 503],
  sqs: ['ThrottlingException', 400],
};

/** The service's own way to say "too many requests". */
export function throttle(call: AwsCall): Refusal {
  const [code, status] = THROTTLES[call.service] ?? ['ThrottlingException', 400];
  return refusal(call, code, status);
}

/** The service's own way to say that something broke on its side: before anything was done. */
export function internalError(call: AwsCall): Refusal {
  return refusal(call, call.service === 's3' ? 'InternalError' : 'InternalServerError', 500);
}

function refusal({ service }: AwsCall, code: string, status: number): Refusal {
  const message = `${code} made up by the fault proxy`;
  if (service === 's3') {
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
    return { status, headers: { 'content-type': 'application/xml' }, body };
  }
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code },
    body: JSON.stringify({ __type: code, message }),
  };
}
