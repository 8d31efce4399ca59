import * as z from 'zod';
import { differences, showBody } from '../../lib/cli/dead-letters/difference';
import { correct, editable } from '../../lib/cli/dead-letters/edit';
import { examine } from '../../lib/cli/dead-letters/examine';
import { fitOf, listenedIn, unfitOf } from '../../lib/cli/dead-letters/fit';
import { readLetter } from '../../lib/cli/dead-letters/letter';
import { defineEvent, deterministicId, objectCreated } from '../../lib/contract';
import { defineModule } from '../../lib/module';
import { LETTER } from '../../lib/runtime';
import { busEvent, objectCreatedEvent } from '../support/aws';

const arrived = defineEvent({
  type: 'parcel.arrived',
  version: 1,
  summary: 'A parcel arrived',
  subject: 'parcel',
  schema: z.object({ parcel: z.string(), grams: z.number(), owner: z.string() }),
  example: { parcel: 'p', grams: 1, owner: 'Ada' },
  sensitive: ['owner'],
});
const weigh = defineModule({
  name: 'weigh-parcel',
  summary: 'Weighs',
  on: [arrived, objectCreated('parcels')],
  emits: [],
  stores: { parcels: 'read' },
});
const found = [{ declared: weigh, file: 'weigh/module.ts' }];
const listened = listenedIn({ root: '/', modules: found, steps: [], workflows: [], contracts: [arrived] });
const listenables = listened.on.get('weigh-parcel') ?? [];

const letterOf = (body: string, attributes: Record<string, string> = {}) =>
  readLetter('weigh-parcel', {
    MessageId: 'letter-1',
    Body: body,
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
    ),
  });

function event(data: object = {}, detail: object = {}) {
  const good = busEvent(arrived.create({ parcel: 'p-1', grams: 500, owner: 'Grace' }), { id: 'old' });
  const { data: own } = good.detail as { data: object };
  return { ...good, detail: { ...good.detail, ...detail, data: { ...own, ...data } } };
}
const bodyOf = (...args: Parameters<typeof event>) => JSON.stringify(event(...args));

describe('the event against what the module listens to now', () => {
  test('fits', () => {
    expect(fitOf(letterOf(bodyOf()), listened)).toEqual({ fits: true });
  });

  test('breaks rules of the contract, whose sensitive values are withheld', () => {
    const fit = fitOf(letterOf(bodyOf({ grams: 'heavy', owner: 7 })), listened);
    expect(fit).toMatchObject({ fits: false, code: 'HR102' });
    expect(fit?.fits === false && fit.violations.map(({ path, value }) => [path, value])).toEqual([
      ['grams', 'heavy'],
      ['owner', '(withheld)'],
    ]);
  });

  test.each([
    ['no json', 'HR103'],
    ['{"id":1}', 'HR103'],
    [bodyOf({}, { type: 'parcel.lost', dataschema: 'urn:headrace:parcel.lost:1' }), 'HR105'],
    [bodyOf({}, { dataschema: 'urn:headrace:parcel.arrived:2' }), 'HR106'],
  ])('does not get so far: %.30s', (body, code) => {
    expect(fitOf(letterOf(body), listened)).toMatchObject({ fits: false, code, violations: [] });
  });

  test('cannot be told when the module has left the project', () => {
    expect(fitOf({ module: 'gone', body: bodyOf() }, listened)).toBeUndefined();
  });

  test('is counted by what would park it again', () => {
    expect(unfitOf([letterOf(bodyOf()), letterOf('x'), letterOf('y')], listened)).toEqual([
      { code: 'HR103', count: 2 },
    ]);
  });
});

describe('the difference from a good event', () => {
  test('is told field by field: missing, extra, other type, other value', () => {
    const good = { a: 1, b: 'x', c: { d: 1 }, e: [{ f: 1 }], same: true };
    const here = { b: 'y', c: { d: '1', g: 2 }, e: [{ f: 2 }, { f: null, h: 1 }], same: true };
    expect(differences(here, good, [])).toEqual([
      { path: 'a', kind: 'missing', good: 1 },
      { path: 'c.g', kind: 'extra', here: 2 },
      { path: 'e.*.h', kind: 'extra', here: 1 },
      { path: 'c.d', kind: 'type', here: '1', good: 1 },
      { path: 'e.*.f', kind: 'type', here: null, good: 1 },
      { path: 'b', kind: 'value', here: 'y', good: 'x' },
      { path: 'e', kind: 'value', here: here.e, good: good.e },
    ]);
  });

  test('withholds sensitive fields, and the whole where the whole differs', () => {
    expect(differences({ owner: { name: 'Grace' } }, { owner: { name: 'Ada' } }, ['owner'])).toEqual([
      { path: 'owner.name', kind: 'value', here: '(withheld)', good: '(withheld)' },
    ]);
    expect(differences('Grace', { owner: 'Ada' }, ['owner'])).toEqual([
      { path: '', kind: 'type', here: '(withheld)', good: '(withheld)' },
    ]);
  });

  test('is nothing for equal data', () => {
    expect(differences({ a: [1] }, { a: [1] }, [])).toEqual([]);
  });
});

test('the body is shown without sensitive values, also where the data is no object', () => {
  expect(showBody(bodyOf(), 'detail.data', ['owner'])).not.toContain('Grace');
  expect(showBody(bodyOf(), 'detail.data', ['owner'])).toContain('500');
  const text = JSON.stringify({ detail: { data: 'Grace' } });
  expect(showBody(text, 'detail.data', ['owner'])).not.toContain('Grace');
  expect(showBody('no json', undefined, [])).toBe('no json');
});

describe('a letter, examined', () => {
  const options = { listened, orphaned: false, findGood: async () => undefined };

  test('tells its trail and times, and compares with the good event it is given', async () => {
    const letter = letterOf(bodyOf({ grams: 'x' }, { trail: 'a.b/11111111 c.d/22222222' }), {
      [LETTER.parkedAt]: '2026-01-01T00:00:00.000Z',
      [LETTER.firstReceived]: '2025-12-31T00:00:00.000Z',
    });
    const asked: object[] = [];
    const examined = await examine(letter, {
      ...options,
      findGood: async (wanted) => {
        asked.push(wanted);
        return { from: 'journal', id: 'good', time: '2026-01-01T00:00:00Z', data: arrived.example };
      },
    });
    expect(asked).toEqual([{ type: 'parcel.arrived', version: 1, except: 'old' }]);
    expect(examined.trail).toEqual(['a.b/11111111', 'c.d/22222222']);
    expect(examined.letter).toMatchObject({
      parkedAt: '2026-01-01T00:00:00.000Z',
      firstReceived: '2025-12-31T00:00:00.000Z',
    });
    expect(examined.comparison).toMatchObject({ from: 'journal', id: 'good' });
    expect(JSON.stringify(examined)).not.toMatch(/Grace|Ada/);
  });

  test('that is no JSON has neither trail nor comparison', async () => {
    const examined = await examine(letterOf('no json'), options);
    expect(examined).not.toHaveProperty('trail');
    expect(examined).not.toHaveProperty('comparison');
  });
});

describe('a corrected event', () => {
  const bad = () => letterOf(bodyOf({ grams: 'heavy' }));
  const edited = (letter = bad()) => editable(letter).replace('"heavy"', '750');
  const detailOf = (body: string) => JSON.parse(body).detail;

  test('has an id of its own, computed from the old one alone, and names the old one as its cause', () => {
    const one = correct(bad(), edited(), listenables);
    const other = correct(bad(), edited().replace('750', '751'), listenables);
    expect(one.id).toBe(deterministicId('edited', 'old', 0));
    expect(other.id).toBe(one.id);
    expect(detailOf(one.body)).toMatchObject({
      id: one.id,
      causationid: 'old',
      correlationid: 'old',
      data: { grams: 750 },
    });
  });

  test('of an event of AWS has its id where AWS has it', () => {
    const upload = { ...objectCreatedEvent('inbox/a'), id: 'aws-1' };
    const letter = letterOf(JSON.stringify(upload));
    const { id, body } = correct(letter, editable(letter).replace('inbox/a', 'inbox/b'), listenables);
    expect(JSON.parse(body)).toMatchObject({ id, detail: { object: { key: 'inbox/b' } } });
    expect(JSON.parse(body).detail).not.toHaveProperty('causationid');
  });

  test('may be written from nothing where the letter was no event', () => {
    const { causationId, body } = correct(letterOf('no json'), bodyOf({}, { id: 'mine' }), listenables);
    expect(causationId).toBe('letter-1');
    expect(detailOf(body).causationid).toBe('letter-1');
  });

  test.each([
    ['no json', 'HR516', /not a JSON object/],
    ['[]', 'HR516', /not a JSON object/],
    [editable(bad()), 'HR516', /Nothing was changed/],
    [edited().replace('"old"', '"another"'), 'HR516', /another event/],
    [editable(bad()).replace('"heavy"', '"light"'), 'HR102', /grams/],
    [edited().replace('parcel.arrived:1', 'parcel.arrived:9'), 'HR106', /version/],
    [edited().replace('750', `750,"note":"${'x'.repeat(250_000)}"`), 'HR104', /too large/],
  ])('is refused when it is none: %.20s', (text, code, message) => {
    expect(() => correct(bad(), text, listenables)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
