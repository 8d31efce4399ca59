import { type Difference, differences, showBody } from './difference';
import { fingerprintOf } from './fingerprint';
import { contentsOf, type Fit, fitOf, jsonOrNothing, type Listened, sensitiveFields } from './fit';
import type { FindGoodEvent, GoodEvent } from './last-good';
import type { DeadLetter } from './letter';

/** A letter with all that helps to find what is wrong with it. */
export interface Examined {
  /** As it is, but for sensitive fields, which are withheld. */
  readonly letter: DeadLetter;
  readonly group: string;
  /** The module has left the project. */
  readonly orphaned: boolean;
  /** Version of the code that is deployed now; absent when the target doesn't say. */
  readonly deployedVersion?: string;
  /** Absent when nothing declares what the module listens to: it has left the project, or is the journal. */
  readonly fit?: Fit;
  /** The chain that led to the event, oldest first: `type/beginning of id`. */
  readonly trail?: readonly string[];
  readonly comparison?: {
    readonly from: GoodEvent['from'];
    readonly why?: string;
    readonly id?: string;
    readonly time?: string;
    readonly differences: readonly Difference[];
  };
}

export interface ExamineOptions {
  readonly listened: Listened;
  readonly findGood: FindGoodEvent;
  readonly orphaned: boolean;
  /** @default - not known */
  readonly deployedVersion?: string | undefined;
}

export async function examine(letter: DeadLetter, options: ExamineOptions): Promise<Examined> {
  const { listened, orphaned, deployedVersion } = options;
  const fit = fitOf(letter, listened);
  const trail = trailOf(letter.body);
  const comparison = await compareWithGood(letter, options);
  return {
    letter: { ...letter, body: shownBody(letter, listened) },
    group: fingerprintOf(letter),
    orphaned,
    ...(deployedVersion !== undefined && { deployedVersion }),
    ...(fit && { fit }),
    ...(trail && { trail }),
    ...(comparison && { comparison }),
  };
}

/** The body of a letter without the values of sensitive fields. */
export function shownBody({ module, body }: Pick<DeadLetter, 'module' | 'body'>, listened: Listened): string {
  const contents = contentsOf(body, listened.on.get(module));
  return showBody(body, contents?.at, contents ? sensitiveFields(contents.type, module, listened) : []);
}

async function compareWithGood(
  letter: DeadLetter,
  { listened, findGood }: ExamineOptions,
): Promise<Examined['comparison'] | undefined> {
  const contents = contentsOf(letter.body, listened.on.get(letter.module));
  if (!contents) return undefined;
  const { type, version, data } = contents;
  const good = await findGood({ type, version, except: letter.event?.id ?? '' });
  if (!good) return undefined;
  const { data: goodData, ...known } = good;
  return {
    ...known,
    differences: differences(data, goodData, sensitiveFields(type, letter.module, listened)),
  };
}

function trailOf(body: string): readonly string[] | undefined {
  const { detail } = (jsonOrNothing(body) ?? {}) as { detail?: { trail?: unknown } };
  const trail = detail?.trail;
  return typeof trail === 'string' && trail !== '' ? trail.split(' ') : undefined;
}
