import { HeadraceError } from '../../contract/errors';
import { OUTPUT } from '../../module/environment';
import type { Output } from '../output';
import { closest } from '../suggest';

/** A store of a deployed pipeline. */
export interface DeployedStore {
  readonly name: string;
  readonly bucket: string;
}

type Outputs = Readonly<Record<string, string>>;

const PREFIX = OUTPUT.store('');

/** The stores that a stack's outputs name, in order of their names. */
export function storesIn(outputs: Outputs): DeployedStore[] {
  return Object.entries(outputs)
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([key, bucket]) => ({ name: kebab(key.slice(PREFIX.length)), bucket }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The bucket of a store. @throws HeadraceError HR501 naming the stores there are */
export function bucketOf(name: string, outputs: Outputs): string {
  const stores = storesIn(outputs).map((store) => store.name);
  const bucket = stores.includes(name) ? outputs[OUTPUT.store(name)] : undefined;
  if (bucket !== undefined) return bucket;
  const near = closest(name, stores);
  throw new HeadraceError('HR501', {
    what: near ? `There is no store '${name}'. Did you mean '${near}'?` : `There is no store '${name}'.`,
    got: name,
    allowed: stores.join(', ') || 'none: the pipeline has no stores',
    next: 'npx headrace doctor shows the stores with their buckets.',
  });
}

/** A short table of the stores; no lines where there is none. */
export function storeLines(stores: readonly DeployedStore[], out: Output): string[] {
  if (stores.length === 0) return [];
  return out.table(
    ['store', 'bucket'],
    stores.map(({ name, bucket }) => [name, bucket]),
  );
}

/** `BadLabels` as a store is declared: `bad-labels`. */
const kebab = (pascal: string) =>
  pascal.replaceAll(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);
