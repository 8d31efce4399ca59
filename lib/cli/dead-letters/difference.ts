/** One field in which an event differs from a good one. */
export interface Difference {
  /** `shards.*.uri`; `*` stands for any element of a list. */
  readonly path: string;
  /** The good one has it and this one doesn't, or the other way round; it is of another type, or another value. */
  readonly kind: 'missing' | 'extra' | 'type' | 'value';
  readonly here?: unknown;
  readonly good?: unknown;
}

const ORDER: readonly Difference['kind'][] = ['missing', 'extra', 'type', 'value'];
const WITHHELD = '(withheld)';

/** The data field by field against those of a good event: what is wrong first, other values last. */
export function differences(here: unknown, good: unknown, sensitive: readonly string[]): Difference[] {
  const shown = compare('', here, good).map((each) => withhold(each, sensitive));
  return shown.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

function withhold(each: Difference, sensitive: readonly string[]): Difference {
  // The whole of the data would show every field.
  const secret = sensitive.length > 0 && (each.path === '' || sensitive.includes(each.path.split('.')[0] ?? ''));
  if (!secret) return each;
  return { ...each, ...('here' in each && { here: WITHHELD }), ...('good' in each && { good: WITHHELD }) };
}

function compare(path: string, here: unknown, good: unknown): Difference[] {
  if (typeOf(here) !== typeOf(good)) return [{ path, kind: 'type', here, good }];
  if (Array.isArray(here) && Array.isArray(good)) return compareLists(path, here, good);
  if (isObject(here) && isObject(good)) return compareObjects(path, here, good);
  return here === good ? [] : [{ path, kind: 'value', here, good }];
}

function compareObjects(path: string, here: Fields, good: Fields): Difference[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  return [...new Set([...Object.keys(good), ...Object.keys(here)])].flatMap((name): Difference[] => {
    if (!(name in here)) return [{ path: at(name), kind: 'missing', good: good[name] }];
    if (!(name in good)) return [{ path: at(name), kind: 'extra', here: here[name] }];
    return compare(at(name), here[name], good[name]);
  });
}

/** Lists are of other lengths in every event: what counts is whether the elements are alike. */
function compareLists(path: string, here: readonly unknown[], good: readonly unknown[]): Difference[] {
  if (JSON.stringify(here) === JSON.stringify(good)) return [];
  const [model] = good;
  const shapes = good.length === 0 ? [] : here.flatMap((each) => compare(`${path}.*`, each, model));
  const wrong = shapes.filter(({ kind }) => kind !== 'value');
  const once = wrong.filter((each, i) => wrong.findIndex((other) => alike(each, other)) === i);
  return [...once, { path, kind: 'value', here, good }];
}

const alike = (a: Difference, b: Difference) => a.path === b.path && a.kind === b.kind;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeOf(value) === 'object';

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The message as indented JSON, without the values of sensitive fields; as it stands when it is no JSON. */
export function showBody(body: string, at: 'detail' | 'detail.data' | undefined, sensitive: readonly string[]): string {
  let bus: unknown;
  try {
    bus = JSON.parse(body);
  } catch {
    return body;
  }
  if (at === undefined || sensitive.length === 0) return JSON.stringify(bus, null, 2);
  const { detail } = bus as { detail: Fields };
  const shown = at === 'detail' ? hide(detail, sensitive) : { ...detail, data: hide(detail.data, sensitive) };
  return JSON.stringify({ ...(bus as Fields), detail: shown }, null, 2);
}

export function hide(data: unknown, sensitive: readonly string[]): unknown {
  if (!isObject(data)) return WITHHELD;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, sensitive.includes(name) ? WITHHELD : value]),
  );
}
