import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../lib/cli';
import { COMMANDS } from '../../lib/cli/commands';
import { PROJECT, testHost } from './test-host';

test('an unknown command is refused with the one that was meant', async () => {
  const host = testHost();
  expect(await main(['grap'], host)).toBe(2);
  expect(host.err()).toMatch(/^HR501 There is no command 'grap'\. Did you mean 'graph'\?/);
  expect(host.out()).toBe('');
});

test('an unknown word of a group is refused with the one that was meant', async () => {
  const host = testHost();
  expect(await main(['dlq', 'redrvie'], host)).toBe(2);
  expect(host.err()).toContain("Did you mean 'redrive'?");
});

test.each([
  [['graph', '--formt', 'svg'], /Unknown option '--formt'.*--format/],
  [['graph', '--format', 'png'], /Allowed choices are text, mermaid, svg/],
  [['up', '--port', '80'], /whole number from 1024 to 65535/],
  [['events', '--limit', '1.5'], /whole number from 1 to/],
  [['publish'], /needs the type of an event, or a spool/],
  [['graph', 'surplus'], /Too many arguments/],
  [['down', '--target', 'moon'], /There is no such target/],
])('wrong use %j ends with 2 and says what to do', async (argv, message) => {
  const host = testHost();
  expect(await main(argv, host)).toBe(2);
  expect(host.err()).toMatch(message);
  expect(host.err()).toMatch(/next/);
});

test.each(COMMANDS.map(({ name }) => [name]))(
  '%s --help shows an example and the options all commands have',
  async (name) => {
    const host = testHost();
    expect(await main([...name.split(' '), '--help'], host)).toBe(0);
    expect(host.out()).toContain(`headrace ${name.replace(' list', '')}`);
    for (const option of ['--json', '--target', '--project']) expect(host.out()).toContain(option);
  },
);

test('every example is a command line that parses', () => {
  for (const { name, examples } of COMMANDS) {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example).toContain(`npx headrace ${name}`);
  }
});

test('every command that a text names can be typed as it stands: it begins with npx', () => {
  const words = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))].join('|');
  const bare = new RegExp(`(?<!npx )\\bheadrace (${words})\\b`);
  const texts = ['lib/cli', 'lib/target'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('tail/ear.ts'))
      .flatMap((name) => readFileSync(join(PROJECT, folder, name), 'utf8').split('\n'))
      .filter((line) => !/^\s*(\*|\/)/.test(line)),
  );
  expect(texts.filter((line) => bare.test(line))).toEqual([]);
});

test('a wrong word is answered with a command line that works', async () => {
  const host = testHost();
  await main(['dlq', 'redrvie'], host);
  expect(host.err()).toContain('npx headrace dlq redrive');
});

test('without arguments it shows the help', async () => {
  const host = testHost();
  expect(await main([], host)).toBe(0);
  expect(host.out()).toContain('Usage: headrace');
});

test('under --json an error is the only thing on stdout, and is one JSON value', async () => {
  const host = testHost();
  expect(await main(['publish', 'model.traned', '--example', '--json'], host)).toBe(2);
  expect(JSON.parse(host.out())).toMatchObject({
    error: { code: 'HR105', got: 'model.traned', next: 'Did you mean model.trained?' },
  });
});

test('fails when the folder is no project, naming the folder', async () => {
  const host = testHost({ cwd: '/' });
  expect(await main(['graph'], host)).toBe(2);
  expect(host.err()).toContain('HR506');
});

test.each(['/nonexistent', '/'])(
  'fails when --project names %s, which is no project, whatever the command',
  async (folder) => {
    for (const command of ['graph', 'up', 'doctor', 'down', 'runs list']) {
      const host = testHost();
      expect(await main([...command.split(' '), '--project', folder], host)).toBe(2);
      expect(host.err()).toMatch(/^HR506 /);
      expect(host.err()).toContain(folder);
    }
  },
);

test('an endpoint where nothing is makes every command that needs it fail with HR407 and its address', async () => {
  const endpoint = 'http://127.0.0.1:1';
  for (const command of ['runs list', 'dlq list', 'publish model.trained --example', 'events', 'deploy', 'down']) {
    const host = testHost({ env: { HEADRACE_ENDPOINT: endpoint } });
    expect(await main(command.split(' '), host)).toBe(1);
    expect(host.err()).toMatch(/^HR407 .*connection refused/);
    expect(host.err()).toContain(endpoint);
    expect(host.err()).toContain('unset HEADRACE_ENDPOINT');
  }
});

test('an error Headrace does not know is told without a code, and with its stack only under --debug', async () => {
  const broken = { readInput: () => Promise.reject(new TypeError('the pipe burst')) };
  const host = testHost(broken);
  expect(await main(['publish', 'model.trained', '--data', '-'], host)).toBe(1);
  expect(host.err()).toContain('error TypeError: the pipe burst');
  expect(host.err()).not.toMatch(/HR\d|test-host|at /);
  const debugging = testHost(broken);
  await main(['publish', 'model.trained', '--data', '-', '--debug'], debugging);
  expect(debugging.err()).toContain('main.test.ts');
});

const ESCAPE = '\u001b[';

test('colours are off when piped and under NO_COLOR, on in a terminal', async () => {
  const piped = testHost();
  await main(['graph'], piped);
  expect(piped.out()).not.toContain(ESCAPE);
  const terminal = testHost({ isTTY: true });
  await main(['graph'], terminal);
  expect(terminal.out()).toContain(ESCAPE);
  const plain = testHost({ isTTY: true, env: { NO_COLOR: '1' } });
  await main(['graph'], plain);
  expect(plain.out()).not.toContain(ESCAPE);
});

test('an interrupted command ends with 130', async () => {
  const controller = new AbortController();
  const host = testHost({ signal: controller.signal, readInput: () => new Promise(() => undefined) });
  const running = main(['publish', 'model.trained', '--data', '-'], host);
  controller.abort();
  expect(await running).toBe(130);
});
