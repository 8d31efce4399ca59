import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { type Draft, type Envelope, toEnvelope } from '../../lib/contract';
import { JOURNAL, OUTPUT } from '../../lib/module';
import { putEvents, S3Store } from '../../lib/runtime';
import { parcelArrived } from '../fixtures/parcels/events/parcel-arrived.v1';
import { Deployed, ROOT, scratchFolder } from './support/deployed';

jest.setTimeout(180_000);

const PROJECT = join(ROOT, 'test', 'fixtures', 'parcels');
const MODULE = 'weigh-parcel';
const STACK = 'headrace-digits';

const app = new Deployed(PROJECT, 'letters');
let scratch: Awaited<ReturnType<typeof scratchFolder>>;

beforeAll(async () => {
  scratch = await scratchFolder('letters');
  await app.start();
});
afterAll(async () => {
  await app.stop();
  await scratch.remove();
});

const parcels = () => app.store('parcels');
const close = () => parcels().put('closed', 'until noon');
const reopen = async () => {
  const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
  const Bucket = app.pipeline.output(OUTPUT.store('parcels'));
  await app.pipeline.clients.s3.send(new DeleteObjectCommand({ Bucket, Key: 'closed' }));
};

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line of its own process, which can be told to stop. */
function start(...args: string[]): { child: ChildProcess; ended: Promise<Ran> } {
  const where = ['--target', app.target.endpoint, '--project', PROJECT, '--stack', STACK];
  const child = spawn(process.execPath, [join(ROOT, 'bin/headrace.mjs'), ...args, ...where], { cwd: scratch.path });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => {
    said.stdout += part;
  });
  child.stderr.on('data', (part) => {
    said.stderr += part;
  });
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  return { child, ended };
}

const run = (...args: string[]) => start(...args).ended;

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json');
  return { code, ...(stdout === '' ? { stderr } : JSON.parse(stdout)) };
}

async function until<T>(look: () => Promise<T>, fits: (seen: T) => boolean): Promise<T> {
  for (let i = 0; i < 150; i++) {
    const seen = await look();
    if (fits(seen)) return seen;
    await sleep(200);
  }
  throw new Error('it never came to pass');
}

const envelope = (parcel: string, data: object = {}): Envelope => ({
  ...toEnvelope(parcelArrived.create({ parcel, grams: 500, owner: 'Ada' }) as Draft, {
    id: `${parcel}-e`,
    time: new Date(),
  }),
  data: { parcel, grams: 500, owner: 'Ada', ...data },
});

async function publish(...envelopes: Envelope[]): Promise<void> {
  const { clients, bus } = app.pipeline;
  await putEvents(envelopes, { client: clients.eventbridge, bus });
}

const list = () => json('dlq', 'list', MODULE);
const letters = (count: number) => until(list, ({ total }) => total === count);
const runsOf = async (parcel: string) => (await parcels().list(`runs/${parcel}/`)).length;
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** Parks so many events for a reason that can be mended, and mends it. */
async function parkAndMend(parcelNames: readonly string[]): Promise<void> {
  await close();
  await publish(...parcelNames.map((name) => envelope(name)));
  await letters(parcelNames.length);
  await reopen();
}

/** Waits until every parcel was handled; none was twice. */
async function eachRanOnce(all: readonly string[]): Promise<void> {
  for (const parcel of all) {
    await until(
      () => runsOf(parcel),
      (count) => count > 0,
    );
  }
  expect(await Promise.all(all.map(runsOf))).toEqual(all.map(() => 1));
}

test('an empty queue of letters is no error, whatever is asked of it', async () => {
  expect(await list()).toMatchObject({ code: 0, total: 0 });
  expect(await json('dlq', 'redrive', MODULE, '--yes')).toMatchObject({ code: 0, total: 0, moved: 0 });
  expect(await json('dlq', 'discard', MODULE, '--reason', 'none', '--yes')).toMatchObject({ code: 0, discarded: 0 });
  expect(await json('dlq', 'show', 'nothing-like-it')).toMatchObject({ code: 1, error: { code: 'HR505' } });
  expect(await json('dlq', 'redrive', '--id', 'nothing-like-it')).toMatchObject({ code: 0, total: 0 });
});

describe('letters of three kinds', () => {
  let closed: string;
  let broken: { id: string };

  beforeAll(async () => {
    await publish(envelope('good'));
    await until(
      () => runsOf('good'),
      (count) => count === 1,
    );
    await close();
    await publish(
      envelope('one-1'),
      envelope('two-2'),
      envelope('three-3'),
      envelope('bad', { grams: 'heavy', owner: 'Grace' }),
    );
    await app.pipeline.clients.sqs.send(
      new SendMessageCommand({ QueueUrl: app.pipeline.output(OUTPUT.queue(MODULE)), MessageBody: 'no json at all' }),
    );
    await letters(5);
  });

  test('are listed by how they failed: the parcels differ, the failure does not', async () => {
    const { modules } = await list();
    const groups = modules[0].groups.map(({ error, count }: { error: string; count: number }) => [error, count]);
    expect(groups).toEqual(
      [
        ['NonRetriable', 3],
        ['HR102', 1],
        ['HR103', 1],
      ]
        .sort((a, b) => Number(b[1]) - Number(a[1]))
        .map((each) => expect.arrayContaining(each)),
    );
    closed = modules[0].groups[0].group;
    expect(closed).toMatch(/^[0-9a-f]{8}$/);
  });

  test('one is shown with what breaks its contract and how it differs from the last good one, without secrets', async () => {
    const { stdout } = await run('dlq', 'show', 'bad-e', '--json');
    const shown = JSON.parse(stdout);
    broken = shown.letter;
    expect(shown.fit).toMatchObject({ fits: false, code: 'HR102', violations: [{ path: 'grams' }] });
    expect(shown.comparison).toMatchObject({
      from: 'journal',
      id: expect.not.stringMatching(/^bad/),
      differences: expect.arrayContaining([
        { path: 'grams', kind: 'type', here: 'heavy', good: 500 },
        { path: 'owner', kind: 'value', here: '(withheld)', good: '(withheld)' },
      ]),
    });
    expect(shown.deployedVersion).toBe(shown.letter.codeVersion);
    expect(stdout).not.toMatch(/Grace|Ada/);
    const { stdout: text } = await run('dlq', 'show', 'bad-e');
    expect(text).toMatch(/still deployed/);
    expect(text).toMatch(/other type +grams +here "heavy", good 500/);
  });

  test('one that is no JSON is shown as it stands', async () => {
    const { modules } = await list();
    const { ids } = modules[0].groups.find(({ error }: { error: string }) => error === 'HR103');
    const shown = await json('dlq', 'show', ids[0]);
    expect(shown).toMatchObject({ code: 0, fit: { code: 'HR103' }, letter: { body: 'no json at all' } });
  });

  test('one is tried without effects: first as it would fail, then as it would be handled', async () => {
    expect(await json('dlq', 'dry-run', 'one-1-e')).toMatchObject({
      code: 1,
      verdict: 'DeadLettered',
      error: { name: 'NonRetriable' },
    });
    await reopen();
    const tried = await json('dlq', 'dry-run', 'one-1-e');
    expect(tried).toMatchObject({
      code: 0,
      verdict: 'Handled',
      emitted: [{ type: 'parcel.weighed', data: { parcel: 'one-1', kilograms: 0.5 } }],
      once: ['label'],
    });
    expect(tried.effects.map(({ call }: { call: string }) => call)).toContain('s3:PutObject');
    expect(await runsOf('one-1')).toBe(0);
    expect(await list()).toMatchObject({ total: 5 });
  });

  test('one is corrected: the new event is handled, names the old one as its cause, and the letter is gone', async () => {
    const { file } = await json('dlq', 'edit', broken.id);
    const written = await readFile(file, 'utf8');
    expect(await json('dlq', 'edit', broken.id)).toMatchObject({ code: 2, error: { code: 'HR501' } });
    expect(await json('dlq', 'edit', broken.id, '--file', file)).toMatchObject({ error: { code: 'HR516' } });
    await writeFile(file, written.replace('"heavy"', '"light"'));
    expect(await json('dlq', 'edit', broken.id, '--file', file)).toMatchObject({ code: 1, error: { code: 'HR102' } });
    await writeFile(file, written.replace('"heavy"', '750'));
    const dry = await json('dlq', 'edit', broken.id, '--file', file, '--dry-run');
    expect(dry).toMatchObject({ code: 0, causationId: 'bad-e', event: { detail: { data: { grams: 750 } } } });
    expect(await list()).toMatchObject({ total: 5 });
    const sent = await json('dlq', 'edit', broken.id, '--file', file);
    expect(sent).toMatchObject({ code: 0, id: dry.id, removed: true });
    const weighed = await app.event('parcel.weighed', { parcel: 'bad' });
    expect(weighed).toMatchObject({ causationId: sent.id, correlationId: 'bad-e', data: { kilograms: 0.75 } });
    expect(await letters(4)).toMatchObject({ total: 4 });
    expect(await json('dlq', 'edit', broken.id, '--file', file)).toMatchObject({ error: { code: 'HR505' } });
  });

  test('a group goes back, and the others stay', async () => {
    const dry = await json('dlq', 'redrive', '--group', closed, '--dry-run');
    expect(dry).toMatchObject({ total: 3, planned: [{ module: MODULE, count: 3, unfit: [] }], moved: 0 });
    expect(await json('dlq', 'redrive', '--group', closed, '--yes')).toMatchObject({ code: 0, moved: 3 });
    await letters(1);
    for (const parcel of ['one-1', 'two-2', 'three-3']) {
      await until(
        () => runsOf(parcel),
        (count) => count === 1,
      );
    }
  });

  test('one that would only be parked again is told as such before it is moved', async () => {
    const dry = await json('dlq', 'redrive', MODULE, '--dry-run');
    expect(dry.planned).toEqual([{ module: MODULE, count: 1, unfit: [{ code: 'HR103', count: 1 }] }]);
  });

  test('one is given up with a reason, and kept whole in the journal', async () => {
    const given = ['dlq', 'discard', MODULE, '--reason', 'a line of a log'];
    expect(await json('dlq', 'discard', MODULE)).toMatchObject({ code: 2, error: { code: 'HR501' } });
    expect(await json(...given, '--dry-run')).toMatchObject({ total: 1, discarded: 0 });
    expect(await json(...given)).toMatchObject({ code: 2, error: { code: 'HR501' } });
    expect(await json(...given, '--yes')).toMatchObject({ code: 0, discarded: 1 });
    await letters(0);
    const journal = new S3Store(app.pipeline.clients.s3, app.pipeline.output(OUTPUT.store(JOURNAL)));
    const [key] = await journal.list(`discarded/${MODULE}/`);
    expect(JSON.parse(Buffer.from(await journal.get(key!)).toString())).toMatchObject({
      discarded: { reason: 'a line of a log', by: expect.stringContaining('@') },
      letter: { body: 'no json at all', error: { code: 'HR103' } },
    });
  });
});

test('Ctrl-C ends a redrive after the batch in hand, gives the rest back, and the command it names goes on', async () => {
  const all = names('halt', 30);
  await parkAndMend(all);
  const { child, ended } = start('dlq', 'redrive', MODULE, '--rate', '2', '--yes', '--json');
  await new Promise<void>((seen) => child.stderr?.on('data', (part) => /moved/.test(String(part)) && seen()));
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  const first = JSON.parse(stdout);
  expect(code).toBe(130);
  expect(first).toMatchObject({ interrupted: true, goOn: expect.stringContaining(`dlq redrive ${MODULE} --rate 2`) });
  expect(first.moved).toBeGreaterThan(0);
  expect(first.moved).toBeLessThan(30);
  const rest = await json('dlq', 'redrive', MODULE, '--yes');
  expect(rest).toMatchObject({ code: 0, moved: 30 - first.moved, hidden: 0 });
  await letters(0);
  await eachRanOnce(all);
});

test('two operators at once move each letter once between them', async () => {
  const all = names('pair', 40);
  await parkAndMend(all);
  const both = await Promise.all([
    json('dlq', 'redrive', MODULE, '--rate', '40', '--yes'),
    json('dlq', 'redrive', MODULE, '--rate', '40', '--yes'),
  ]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both[0].moved + both[1].moved).toBe(40);
  await letters(0);
  await eachRanOnce(all);
});

test('a queue that is gone is told as such, and no letter is lost', async () => {
  await parkAndMend(['orphan']);
  const { sqs } = app.pipeline.clients;
  await sqs.send(new DeleteQueueCommand({ QueueUrl: app.pipeline.output(OUTPUT.queue(MODULE)) }));
  const moved = await json('dlq', 'redrive', MODULE, '--yes');
  expect(moved).toMatchObject({ code: 1, moved: 0, failures: [{ module: MODULE, code: 'HR512' }] });
  expect(await list()).toMatchObject({ total: 1 });
  await sqs.send(new DeleteQueueCommand({ QueueUrl: app.pipeline.output(OUTPUT.deadLetterQueue(MODULE)) }));
  expect(await list()).toMatchObject({ code: 1, error: { code: 'HR512' } });
  expect(await json('dlq', 'list')).toMatchObject({ code: 1, failures: [{ module: MODULE, code: 'HR512' }] });
});
