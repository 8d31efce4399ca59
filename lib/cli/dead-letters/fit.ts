import {
  type AnyEvent,
  busEventSchema,
  HeadraceError,
  type Listenable,
  openEvent,
  type Violation,
  violations,
} from '../../contract';
import { discover, type Project } from '../../module';
import type { DeadLetter } from './letter';

/** Whether the module, as the project declares it now, can open the event in a letter. */
export type Fit =
  | { readonly fits: true }
  | {
      readonly fits: false;
      readonly code: string;
      readonly what: string;
      /** Broken rules of the contract; none when the event doesn't get so far. */
      readonly violations: readonly Violation[];
    };

/** What every listener of the project listens to, by its name, and every contract there is. */
export interface Listened {
  readonly on: ReadonlyMap<string, readonly Listenable[]>;
  readonly contracts: readonly AnyEvent[];
}

export function listenedIn({ modules, workflows, contracts }: Project): Listened {
  const declared = [...modules, ...workflows].map((each) => each.declared);
  return { on: new Map(declared.map(({ name, on }) => [name, on.map(({ listenable }) => listenable)])), contracts };
}

export const listenedAt = (project: string): Listened => listenedIn(discover(project));

/** The event in the letter against the contracts its module listens to now; undefined when the module is gone. */
export function fitOf({ module, body }: Pick<DeadLetter, 'module' | 'body'>, { on }: Listened): Fit | undefined {
  const listenables = on.get(module);
  if (!listenables) return undefined;
  try {
    openEvent(parsed(body), listenables);
    return { fits: true };
  } catch (error) {
    if (!(error instanceof HeadraceError)) throw error;
    const { code, details } = error;
    return { fits: false, code, what: details.what, violations: brokenRules(body, listenables) };
  }
}

/** @throws HeadraceError HR103 for what is no JSON */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new HeadraceError('HR103', {
      what: 'The message is not JSON.',
      next: 'Write the event it should have been with npx headrace dlq edit, or discard it.',
      cause,
    });
  }
}

export interface Contents {
  readonly type: string;
  readonly version: number;
  readonly data: unknown;
  /** The field of the message in which the data stand. */
  readonly at: 'detail' | 'detail.data';
}

/** Type, version and data of the event in a body; undefined when it is none. */
export function contentsOf(body: string, listenables: readonly Listenable[] = []): Contents | undefined {
  const bus = busEventSchema.safeParse(jsonOrNothing(body)).data;
  if (!bus) return undefined;
  const aws = listenables.find(
    (each) => each.kind === 'aws-event' && each.source === bus.source && each.detailType === bus['detail-type'],
  );
  if (aws?.kind === 'aws-event') return { type: aws.type, version: 1, data: bus.detail, at: 'detail' };
  const { type, dataschema, data } = bus.detail;
  if (typeof type !== 'string') return undefined;
  return { type, version: Number(String(dataschema).split(':').at(-1)), data, at: 'detail.data' };
}

export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function brokenRules(body: string, listenables: readonly Listenable[]): readonly Violation[] {
  const contents = contentsOf(body, listenables);
  if (!contents) return [];
  const { type, version, data } = contents;
  const own = listenables.find((each) => each.kind !== 'family' && each.type === type && versionOf(each) === version);
  const contract = own ?? listenables.find(({ kind }) => kind === 'family');
  return contract ? violations({ ...contract, type }, data) : [];
}

const versionOf = (listenable: Listenable) => (listenable.kind === 'event' ? listenable.version : 1);

/** Top-level fields of the data that must not be shown, whichever version of the type calls them sensitive. */
export function sensitiveFields(type: string, module: string, { on, contracts }: Listened): readonly string[] {
  const named = (on.get(module) ?? []).filter((each) => each.kind === 'family' || each.type === type);
  const known = [...contracts.filter((contract) => contract.type === type), ...named];
  return [...new Set(known.flatMap(({ sensitive }) => sensitive))];
}

export interface FitCount {
  readonly code: string;
  readonly count: number;
}

/** How many letters the module as it is now would park again at once, by the code of the error. */
export function unfitOf(letters: readonly DeadLetter[], listened: Listened): FitCount[] {
  const counts = new Map<string, number>();
  for (const letter of letters) {
    const fit = fitOf(letter, listened);
    if (fit && !fit.fits) counts.set(fit.code, (counts.get(fit.code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ code, count }));
}
