import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { type Envelope, toEnvelope } from '../../lib/contract';
import { publish, putEvents, sendSpooled } from '../../lib/runtime';
import { keepOnly, readSpool, writePage } from '../../lib/runtime/spool';
import { essayGraded } from '../support/essays';
import { lateRefusal } from '../support/refusal';
import { ManualTime } from './support/manual-time';

const bus = mockClient(EventBridgeClient);
const options = { client: new EventBridgeClient({}), bus: 'essays', wait: async () => undefined };

let spool = '';
beforeEach(() => {
  spool = mkdtempSync(join(tmpdir(), 'headrace-spool-'));
  bus.reset();
});
afterEach(() => rmSync(spool, { recursive: true, force: true }));
afterAll(() => bus.restore());

const facts = (...essays: string[]) => essays.map((essay) => essayGraded.create({ essay, grade: 1 }));
const files = () => readdirSync(spool).sort();
const sent = () =>
  bus
    .commandCalls(PutEventsCommand)
    .flatMap(({ args: [{ input }] }) => input.Entries ?? [])
    .map(({ Detail }) => JSON.parse(Detail ?? '') as Envelope);

/** A bus that accepts all but the essays of these names. */
function accept(...except: string[]): void {
  bus.on(PutEventsCommand).callsFake(({ Entries }: { Entries: { Detail: string }[] }) => ({
    Entries: Entries.map(({ Detail }) =>
      except.includes(JSON.parse(Detail).data.essay)
        ? { ErrorCode: 'Full', ErrorMessage: 'no room' }
        : { EventId: '1' },
    ),
  }));
}

const down = () =>
  bus.on(PutEventsCommand).rejects(Object.assign(new Error('denied'), { $metadata: { httpStatusCode: 403 } }));

describe('an event published by way of a spool', () => {
  test('is on the disk when it is sent, and gone from there when it was accepted', async () => {
    const seen: string[] = [];
    bus.on(PutEventsCommand).callsFake(({ Entries }) => {
      seen.push(...files().map((name) => readFileSync(join(spool, name), 'utf8')));
      return { Entries: Entries.map(() => ({ EventId: '1' })) };
    });
    const events = await publish(facts('a', 'b'), { ...options, spool });
    expect(seen.map((text) => JSON.parse(text))).toEqual([{ bus: 'essays', events }]);
    expect(files()).toEqual([]);
  });

  test('can be read by its owner only, also when others have been sent', async () => {
    accept('b');
    const modes: number[] = [];
    const onAccepted = () => modes.push(...files().map((name) => statSync(join(spool, name)).mode & 0o777));
    await lateRefusal(publish(facts('a', 'b'), { ...options, spool, onAccepted }));
    modes.push(...files().map((name) => statSync(join(spool, name)).mode & 0o777));
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  test('makes its folder', async () => {
    accept();
    const folder = join(spool, 'deep', 'down');
    await publish(facts('a'), { ...options, spool: folder });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is not sent when it cannot be written', async () => {
    writeFileSync(join(spool, 'taken'), '');
    const error = await lateRefusal(publish(facts('a'), { ...options, spool: join(spool, 'taken', 'x') }));
    expect(error.code).toBe('HR322');
    expect(error.message).toContain('Nothing was sent.');
    expect(sent()).toEqual([]);
  });

  test('stays there when the bus cannot be reached', async () => {
    down();
    await expect(publish(facts('a'), { ...options, spool })).rejects.toThrow('denied');
    expect(files()).toHaveLength(1);
    accept();
    expect(await sendSpooled(spool, options)).toEqual({ sent: 1, left: [] });
    expect(new Set(sent().map(({ id }) => id)).size).toBe(1);
    expect(files()).toEqual([]);
  });

  test('stays there alone when the bus accepts the others, and says where it is', async () => {
    accept('b');
    const error = await lateRefusal(publish(facts('a', 'b', 'c'), { ...options, spool }));
    expect(error.code).toBe('HR303');
    expect(error.message).toContain('npx headrace publish --spool');
    const { waiting } = await readSpool(spool, 'essays');
    expect(waiting.flatMap(({ events }) => events.map(({ data }) => data.essay))).toEqual(['b']);
  });

  test('needs no spool when there is nothing to say', async () => {
    expect(await publish([], { ...options, spool })).toEqual([]);
    expect(files()).toEqual([]);
  });
});

describe('a publisher that is killed', () => {
  const kill = (when: string) => {
    const script = join(__dirname, 'support', 'publisher.ts');
    const argv = ['--conditions=source', '--import', 'tsx', script, spool, when];
    const { signal, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect([signal, stderr]).toEqual(['SIGKILL', expect.not.stringContaining('Error')]);
    return stdout;
  };
  const essays = Array.from({ length: 10 }, (_, i) => `e-${i}`);

  test('between writing and sending loses nothing', async () => {
    expect(kill('before')).toBe('');
    accept();
    expect(await sendSpooled(spool, options)).toEqual({ sent: 10, left: [] });
    expect(sent().map(({ data }) => data.essay)).toEqual(essays);
    expect(await sendSpooled(spool, options)).toEqual({ sent: 0, left: [] });
  });

  test('between the answer and its note has them sent once more under the ids they had', async () => {
    expect(kill('after')).toBe('accepted\n');
    const [name = ''] = files();
    const { events } = JSON.parse(readFileSync(join(spool, name), 'utf8'));
    accept();
    await sendSpooled(spool, options);
    expect(sent().map(({ id }) => id)).toEqual(events.map(({ id }: Envelope) => id));
  });
});

describe('what was left in a spool', () => {
  const time = new ManualTime();
  const envelope = (essay: string, at = time.now()) =>
    toEnvelope(essayGraded.create({ essay, grade: 1 }), { id: essay, time: new Date(at) });
  const leave = (...essays: string[]) =>
    time.run(() => writePage(spool, { bus: 'essays', events: essays.map((essay) => envelope(essay)) }));
  const send = () => time.run(() => sendSpooled(spool, options));

  test('is sent in the order in which it was published', async () => {
    accept();
    for (const essay of ['c', 'a', 'b']) {
      await leave(essay);
      await time.pass(1);
    }
    expect(await send()).toEqual({ sent: 3, left: [] });
    expect(sent().map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });

  test('is nothing where there is no folder', async () => {
    expect(await sendSpooled(join(spool, 'nowhere'), options)).toEqual({ sent: 0, left: [] });
  });

  test.each([
    ['is no JSON', '1.json', '{"bus":"essays","even', 'HR323'],
    ['is empty', '1.json', '', 'HR323'],
    ['is something else', '1.json', '{"bus":"essays","events":[{"id":"a"}]}', 'HR323'],
    ['was half written when its publisher died', '1.half', '{"bus":"essays"', 'HR323'],
  ])('and %s is told and kept, and the rest is sent', async (_, name, text, code) => {
    accept();
    writeFileSync(join(spool, name), text);
    await leave('a');
    const { sent: count, left } = await send();
    expect(count).toBe(1);
    expect(left).toEqual([{ file: join(spool, name), why: expect.objectContaining({ code }) }]);
    expect(readFileSync(join(spool, name), 'utf8')).toBe(text);
    expect(files()).toEqual([name]);
  });

  test('and is no JSON is told without its text, which may be sensitive', async () => {
    writeFileSync(join(spool, '1.json'), '{"bus":"essays","events":[{"data":{"iban":DE89}}]}');
    const { left } = await send();
    expect(left[0]?.why.message).toMatch(/HR323.*no JSON/);
    expect(left[0]?.why.message).not.toContain('DE89');
  });

  test('is kept whole when two processes note at once what they have sent of it', async () => {
    const file = await leave(...'abcdefgh');
    const { waiting } = await time.run(() => readSpool(spool, 'essays'));
    const events = waiting[0]?.events ?? [];
    const [some, one] = [events.slice(2), events.slice(7)];
    await Promise.all([some, one, some, one].map((each) => keepOnly(file, { bus: 'essays', events: each })));
    expect(files()).toHaveLength(1);
    expect([some, one]).toContainEqual(JSON.parse(readFileSync(file, 'utf8')).events);
  });

  test('for another bus is not sent to this one', async () => {
    accept();
    await time.run(() => writePage(spool, { bus: 'books', events: [envelope('a')] }));
    const { sent: count, left } = await send();
    expect([count, left[0]?.why.code, sent()]).toEqual([0, 'HR324', []]);
    expect(await time.run(() => sendSpooled(spool, { ...options, bus: 'books' }))).toEqual({ sent: 1, left: [] });
  });

  test('too long ago to be told from a duplicate is kept', async () => {
    accept();
    const old = envelope('a', time.now() - 90 * 24 * 3600_000);
    await time.run(() => writePage(spool, { bus: 'essays', events: [old] }));
    const { left } = await send();
    expect(left[0]?.why.code).toBe('HR310');
    expect(files()).toHaveLength(1);
  });

  test('stays when the bus refuses it again', async () => {
    accept('b');
    await leave('a', 'b');
    expect((await lateRefusal(send())).code).toBe('HR303');
    accept();
    expect(await send()).toEqual({ sent: 1, left: [] });
    expect(files()).toEqual([]);
  });

  test('and was sent by another process in the meantime is no failure', async () => {
    const file = await leave('a');
    bus.on(PutEventsCommand).callsFake(() => {
      rmSync(file, { force: true });
      return { Entries: [{ EventId: '1' }] };
    });
    expect(await send()).toEqual({ sent: 1, left: [] });
  });
});

test('events that go by no spool leave no file', async () => {
  accept();
  const [event] = await publish(facts('a'), options);
  await putEvents([event as Envelope], options);
  expect(files()).toEqual([]);
});
