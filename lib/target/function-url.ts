import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Sha256 } from '@aws-crypto/sha256-js';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Target } from './target';

export interface UrlCall {
  readonly body: Uint8Array;
  readonly query?: Readonly<Record<string, string>>;
}

export interface UrlAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * POSTs to an IAM-authenticated function URL, signed with the target's credentials. On an emulator the request goes to
 * its endpoint and the URL's host travels in the Host header.
 */
export async function callFunctionUrl(target: Target, url: string, call: UrlCall): Promise<UrlAnswer> {
  const { hostname, pathname } = new URL(url);
  const { credentials = defaultProvider(), region = hostname.split('.')[2] ?? 'us-east-1' } = target.clientConfig();
  const signer = new SignatureV4({ service: 'lambda', region, credentials, sha256: Sha256 });
  const signed = await signer.sign({
    method: 'POST',
    protocol: 'https:',
    hostname,
    path: pathname,
    query: { ...call.query },
    headers: { host: hostname, 'content-type': 'application/octet-stream' },
    body: call.body,
  });
  const to = new URL(target.endpoint ?? url);
  to.pathname = pathname;
  to.search = new URLSearchParams(call.query).toString();
  return post(to, signed.headers, call.body);
}

function post(url: URL, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<UrlAnswer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, { method: 'POST', headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }),
      );
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
