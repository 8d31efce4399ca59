import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** @default 2000 */
  readonly timeoutMs?: number;
}

/** An HTTP call on a connection of its own. `fetch` refuses some ports and keeps sockets open that delay our exit. */
export function call(url: string | URL, options: Call = {}): Promise<Answer> {
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(options.timeoutMs ?? 2000);
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    const sent = request(url, { method, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    sent.end(options.body);
  });
}

/** Why a call failed, in words for a reader. */
export function failure(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'no answer in time';
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no such host';
  return code ?? message;
}
