import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AwsCall, type RawRequest, readCall } from './aws-call';
import { type Fault, type Plan, passEverything } from './plan';
import { internalError, throttle } from './refusal';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders | Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** Told of every answer of the target itself, whether or not the caller got it. */
export type Witness = (call: AwsCall, status: number) => void;

/** Stands between the workers' AWS SDK and the target, and does to each call what the plan says. */
export class FaultProxy {
  /** May be changed at any time; applies to the next call. */
  public plan: Plan = passEverything;
  public witness: Witness = () => undefined;
  private readonly upstream: string;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server = createServer((incoming, outgoing) => void this.serve(incoming, outgoing));
  /** Addresses of the target that callers were given ours for, in the bodies they send. */
  private readonly standsFor = new Set<string>();

  constructor(upstream: string) {
    this.upstream = upstream;
  }

  public get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  public start(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  public async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.agent.destroy();
  }

  /** A setting of a worker with our address in place of the target's, under whichever name it goes there. */
  public inPlaceOfTarget(setting: string): string {
    const { port } = new URL(this.upstream);
    return setting.replaceAll(new RegExp(`http://(?:localhost|127\\.0\\.0\\.1):${port}\\b`, 'g'), (origin) => {
      this.standsFor.add(origin);
      return this.url;
    });
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const raw = await this.read(incoming);
      const call = readCall(raw);
      const answer = await this.suffer({ raw, call, fault: this.plan(call) });
      if (answer && !outgoing.destroyed) outgoing.writeHead(answer.status, { ...answer.headers }).end(answer.body);
      else outgoing.destroy();
    } catch {
      // The caller or the target is gone: the caller sees a broken connection, as it would without us.
      outgoing.destroy();
    }
  }

  /** @returns the answer, or undefined when the caller gets none */
  private async suffer({ raw, call, fault }: Suffering): Promise<Answer | undefined> {
    switch (fault.kind) {
      case 'throttle':
        return throttle(call);
      case 'error':
        return internalError(call);
      case 'interrupt':
        try {
          if (fault.when === 'after') await this.forward(raw, call);
        } finally {
          fault.act();
        }
        return undefined;
      case 'drop':
        await this.forward(raw, call);
        return undefined;
      case 'duplicate':
        await this.forward(raw, call);
        return this.forward(raw, call);
      case 'delay':
        await sleep(fault.ms);
        return this.forward(raw, call);
      default:
        return this.forward(raw, call);
    }
  }

  private async read(incoming: IncomingMessage): Promise<RawRequest> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    return { method, path: url, headers, body: this.withTargetsName(Buffer.concat(parts)) };
  }

  /** A queue is known by its URL, in which the caller was given our address. */
  private withTargetsName(body: Buffer): Buffer {
    const [origin] = this.standsFor;
    if (origin === undefined || !body.includes(this.url)) return body;
    return Buffer.from(body.toString('utf8').replaceAll(this.url, origin));
  }

  private forward({ method, path, headers, body }: RawRequest, call: AwsCall): Promise<Answer> {
    const { host: _, 'content-length': __, 'transfer-encoding': ___, ...kept } = headers;
    const own = { ...kept, host: new URL(this.upstream).host, 'content-length': body.byteLength };
    return new Promise((resolve, reject) => {
      const options = { method, headers: own, agent: this.agent };
      const sent = request(new URL(path, this.upstream), options, async (response) => {
        try {
          const parts: Buffer[] = [];
          for await (const part of response) parts.push(part as Buffer);
          const status = response.statusCode ?? 502;
          this.witness(call, status);
          resolve({ status, headers: withoutFraming(response.headers), body: Buffer.concat(parts) });
        } catch (error) {
          reject(error as Error);
        }
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

interface Suffering {
  readonly raw: RawRequest;
  readonly call: AwsCall;
  readonly fault: Fault;
}

/** How one connection frames its bytes is no affair of the other. */
function withoutFraming(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, 'content-length': ____, ...kept } = headers;
  return kept;
}
