import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HeadraceError } from '../../lib/contract/errors';
import { EmulatorTarget, environmentFor, resolveTarget } from '../../lib/target';

const options = (env: NodeJS.ProcessEnv = {}) => ({ root: '/project', env });

describe('resolveTarget', () => {
  test.each([
    [undefined, {}, 'local'],
    ['local', { HEADRACE_ENDPOINT: 'http://127.0.0.1:4566' }, 'local'],
    ['aws', {}, 'aws'],
    ['localstack', {}, 'localstack'],
    ['http://127.0.0.1:4566', {}, 'emulator'],
    [undefined, { HEADRACE_ENDPOINT: 'http://127.0.0.1:4566' }, 'emulator'],
  ])('%p with environment %p is the target %p', (name, env, expected) => {
    expect(resolveTarget(name, options(env)).name).toBe(expected);
  });

  test.each(['azure', 'ftp://127.0.0.1', ''])('fails when the name is %p, saying which are allowed', (name) => {
    expect(() => resolveTarget(name, options())).toThrow(/HR410.*Got '.*'.*local, localstack, aws/);
  });

  test('fails when HEADRACE_ENDPOINT has no scheme', () => {
    expect(() => resolveTarget(undefined, options({ HEADRACE_ENDPOINT: 'localhost:4566' }))).toThrow(
      /HR407.*Got 'localhost:4566'/,
    );
  });

  test('AWS keeps the ordinary credential chain: no endpoint, no credentials, the region only if told', async () => {
    expect(resolveTarget('aws', options()).clientConfig()).toEqual({});
    expect(resolveTarget('aws', options()).env()).toEqual({});
    const aws = resolveTarget('aws', options({ AWS_REGION: 'eu-west-1' }));
    expect(aws.clientConfig()).toEqual({ region: 'eu-west-1' });
    expect(aws.gaps).toEqual([]);
    await expect(aws.start()).resolves.toBeUndefined();
  });

  test('an emulator gets fixed test credentials, never those of the shell', () => {
    const env = { AWS_ACCESS_KEY_ID: 'AKIAREAL', AWS_SECRET_ACCESS_KEY: 'real' };
    const target = resolveTarget('http://127.0.0.1:4566/', options(env));
    expect(target.clientConfig()).toEqual({
      endpoint: 'http://127.0.0.1:4566',
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      forcePathStyle: true,
    });
    expect(target.env()).toMatchObject({ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', AWS_ACCESS_KEY_ID: 'test' });
  });

  test("a child process for an emulator sees none of the shell's AWS settings", () => {
    const shell = { HOME: '/home/me', AWS_PROFILE: 'prod', AWS_ENDPOINT_URL_S3: 'https://s3', AWS_SESSION_TOKEN: 'x' };
    const env = environmentFor(resolveTarget('http://127.0.0.1:4566', options()), shell);
    expect(Object.keys(env).filter((name) => name in shell)).toEqual(['HOME']);
    expect(env.AWS_ENDPOINT_URL).toBe('http://127.0.0.1:4566');
  });

  test("a child process for AWS keeps the shell's AWS settings", () => {
    expect(environmentFor(resolveTarget('aws', options()), { AWS_PROFILE: 'prod' })).toEqual({ AWS_PROFILE: 'prod' });
  });

  test('the local target has no endpoint before it is started, and says how to start it', () => {
    expect(() => resolveTarget('local', options()).clientConfig()).toThrow(/HR408.*headrace up/);
  });
});

describe('an emulator that is already running', () => {
  const servers: Server[] = [];
  const serve = async (listener: Parameters<typeof createServer>[1]): Promise<string> => {
    const server = createServer(listener as never);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const startError = async (url: string): Promise<HeadraceError> => {
    const failed = await resolveTarget(url, options())
      .start()
      .catch((error: unknown) => error);
    return failed as HeadraceError;
  };
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  test('is used when it answers like AWS, and left alone by stop', async () => {
    const url = await serve((_, response) => response.end('<GetCallerIdentityResponse/>'));
    const target = resolveTarget(url, options());
    await target.start();
    expect(await target.health()).toMatchObject({ ok: true });
    await target.stop();
    expect(await target.health()).toMatchObject({ ok: true });
  });

  test('fails when nothing listens there', async () => {
    const error = await startError('http://127.0.0.1:1');
    expect(error.code).toBe('HR407');
    expect(error.message).toMatch(/connection refused.*Got 'http:\/\/127\.0\.0\.1:1'.*Start that emulator/);
  });

  test('fails when the host does not exist', async () => {
    expect((await startError('http://nowhere.invalid:4566')).message).toMatch(/HR407.*no such host/);
  });

  test('fails when something else answers', async () => {
    const url = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<html></html>'));
    expect((await startError(url)).message).toMatch(/HR407.*not like AWS: status 200, text\/html/);
  });

  test('fails when it accepts the call and never answers', async () => {
    const url = await serve(() => undefined);
    const target = new EmulatorTarget({
      name: 'emulator',
      endpoint: url,
      region: 'eu-west-1',
      next: '',
      timeoutMs: 50,
    });
    const health = await target.health();
    expect(!health.ok && health.error.message).toMatch(/HR407.*no answer in time/);
  });
});
