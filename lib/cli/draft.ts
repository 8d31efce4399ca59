import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnyEvent, type Draft, type Envelope, HeadraceError, toEnvelope, violations } from '../contract';
import { closest } from './suggest';

/** The contract of `type` or `type@version`; without a version the newest. @throws HeadraceError HR105 */
export function findContract(wanted: string, contracts: readonly AnyEvent[]): AnyEvent {
  const [type = '', version] = wanted.split('@');
  const versions = contracts.filter((contract) => contract.type === type);
  const found =
    version === undefined ? versions.at(-1) : versions.find((contract) => String(contract.version) === version);
  if (found) return found;
  const types = [...new Set(contracts.map((contract) => contract.type))];
  const near = closest(type, types);
  throw new HeadraceError('HR105', {
    what: versions.length > 0 ? `${type} has no version ${version}.` : 'No contract declares this event type.',
    got: wanted,
    allowed: versions.length > 0 ? versions.map((each) => `${type}@${each.version}`).join(', ') : types.join(', '),
    next: near && versions.length === 0 ? `Did you mean ${near}?` : 'npx headrace graph shows every event.',
  });
}

export interface DataSource {
  readonly data: string | undefined;
  readonly example: boolean;
  readonly cwd: string;
  readInput(): Promise<string>;
}

/** The data an event is made of, not yet checked. @throws HeadraceError HR501 when there is none or it is no JSON */
export async function readData(contract: AnyEvent, source: DataSource): Promise<AnyEvent['example']> {
  if (source.example) return contract.example;
  if (source.data === undefined) {
    throw new HeadraceError('HR501', {
      what: 'The event needs data.',
      allowed: '--data JSON, --data @file, --data - (standard input), or --example',
      next: `npx headrace publish ${contract.type} --example --dry-run shows what it looks like.`,
    });
  }
  const text = await readText(source.data, source);
  try {
    return JSON.parse(text) as AnyEvent['example'];
  } catch (cause) {
    throw new HeadraceError('HR501', {
      what: `The data is not JSON: ${(cause as Error).message}.`,
      got: text,
      allowed: 'one JSON object',
      next: 'Put it in a file and give --data @file, which spares you the quoting of the shell.',
      cause,
    });
  }
}

async function readText(data: string, { cwd, readInput }: DataSource): Promise<string> {
  if (data === '-') return readInput();
  if (!data.startsWith('@')) return data;
  const file = resolve(cwd, data.slice(1));
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new HeadraceError('HR501', {
      what: `The file of --data can't be read (${(cause as NodeJS.ErrnoException).code}).`,
      got: file,
      next: 'Correct the path; it starts at the current folder.',
      cause,
    });
  }
}

/** The fact to send. @throws HeadraceError HR102 whose `got` lists path, value and rule of each violation */
export function checkedDraft(contract: AnyEvent, data: AnyEvent['example']): Draft {
  const broken = violations({ ...contract, schema: contract.schema.strict() }, data);
  if (broken.length === 0) return contract.create(data);
  throw new HeadraceError('HR102', {
    what: `The data does not fit the contract of ${contract.type}, version ${contract.version}. Nothing was sent.`,
    got: broken,
    next: `npx headrace publish ${contract.type} --example --dry-run shows data that fits.`,
  });
}

/** The event as it would go on the bus. */
export function preview(draft: Draft): Envelope {
  return toEnvelope(draft, { id: randomUUID(), time: new Date() });
}
